import { FILTERS, filterSection } from '../criteria/filterSections.ts';
import type { FilterParam, FilterValues, SearchCriteria } from '../criteria/criteria.ts';
import { withMakeList, withoutParams } from '../criteria/filterValues.ts';
import { type LabelOf, placeText, priceText, yearText } from './labels.ts';
import type { NearMiss } from '@forecourt/upstream/entities';
import { changeFilters } from '../criteria/changes.ts';

/**
 * One removable part of a search. A `value` chip represents one value of one parameter, a `range` or
 * `location` chip all values of its parameters, an `experience` or `sponsorship` chip a mode of the page.
 */
export interface Chip {
  /** Stable and unique in a list of chips. */
  readonly key: string;
  readonly label: string;
  readonly kind: 'value' | 'range' | 'location' | 'experience' | 'sponsorship';
  /** Name of its filter section; for the last two kinds, of the mode. */
  readonly section: string;
  /** The parameter, or the first of a range; undefined for a mode. */
  readonly param?: FilterParam;
  /** All parameters that are cleared with the chip. */
  readonly params: readonly FilterParam[];
  readonly values: readonly string[];
  /** Bounds of a range; an open bound is undefined. */
  readonly range?: { readonly min?: number; readonly max?: number };
}

interface ChipContext {
  readonly labelOf: LabelOf;
  /** City of the ZIP, if known. */
  readonly place?: { readonly city: string; readonly state: string };
  /** Name of the sponsor whose inventory is viewed. */
  readonly ownerName?: string;
}

const EXPERIENCE_LABELS = { commercial: 'Commercial Vehicles', 'best-deals': 'Best Deals' };

function locationLabel(filters: FilterValues, context: ChipContext): string | undefined {
  const location = placeText(filters, context.place);
  const radius = filters.searchRadius?.[0];
  // A radius without a place has no effect (AMB-199).
  if (radius === undefined || location === undefined) return location;
  return radius === '0' ? `Any distance from ${location}` : `Within ${radius} miles of ${location}`;
}

function rangeOf(lower: string | undefined, upper: string | undefined): Chip['range'] {
  return { ...(lower && { min: Number(lower) }), ...(upper && { max: Number(upper) }) };
}

/** 'off' is sent upstream, but has no chip to remove (AMB-015). */
const isShown = (param: FilterParam, value: string) => !(param === 'marketExtension' && value === 'off');

function sectionChips(
  section: (typeof FILTERS)[number],
  filters: FilterValues,
  context: ChipContext,
): readonly Chip[] {
  const [param] = section.params;
  if (section.kind === 'range' || section.kind === 'location') {
    const label =
      section.name === 'priceRange'
        ? priceText(filters)
        : section.name === 'yearRange'
          ? yearText(filters)
          : locationLabel(filters, context);
    if (!label) return [];
    const values = section.params.flatMap((name) => filters[name] ?? []);
    const [lower, upper] = section.params.map((name) => filters[name]?.[0]);
    const chip: Chip = {
      key: section.name,
      label,
      kind: section.kind,
      section: section.name,
      param,
      params: section.params,
      values,
    };
    return [section.kind === 'range' ? { ...chip, range: rangeOf(lower, upper) } : chip];
  }
  // ZIP and radius are parts of the location chip.
  if (param === 'zip' || param === 'searchRadius') return [];
  return (filters[param] ?? [])
    .filter((value) => isShown(param, value))
    .map((value) => ({
      key: `${param}:${value}`,
      label: context.labelOf(param, value),
      kind: 'value',
      section: section.name,
      param,
      params: [param],
      values: [value],
    }));
}

/** The chips of a search: sponsor and experience first, then panel order, the keyword last. */
export function chipsOf(criteria: SearchCriteria, context: ChipContext): readonly Chip[] {
  const { experience, isSponsorship, showcaseOwnerId } = criteria;
  const filters = withMakeList(criteria.filters);
  const modes: Chip[] = [];
  // Without an owner, the results are those of all dealers.
  if (isSponsorship && showcaseOwnerId)
    modes.push({
      key: 'sponsorship',
      label: `Viewing ${context.ownerName ?? "this dealer's"} inventory`,
      kind: 'sponsorship',
      section: 'sponsorship',
      params: [],
      values: [],
    });
  if (experience)
    modes.push({
      key: 'experience',
      label: EXPERIENCE_LABELS[experience],
      kind: 'experience',
      section: 'experience',
      params: [],
      values: [experience],
    });
  const keyword: Chip[] = (filters.keyword ?? []).map((value) => ({
    key: `keyword:${value}`,
    label: context.labelOf('keyword', value),
    kind: 'value',
    section: 'keyword',
    param: 'keyword',
    params: ['keyword'],
    values: [value],
  }));
  return [...modes, ...FILTERS.flatMap((section) => sectionChips(section, filters, context)), ...keyword];
}

/** The n of 'Filter (n)': all chips except the location (AMB-074). */
export const filterCount = (chips: readonly Pick<Chip, 'kind'>[]): number =>
  chips.filter((chip) => chip.kind !== 'location').length;

/** Dropping a make also drops its models and trims; dropping a model, its trims (AMB-080). */
const DROPPED_TOGETHER: Readonly<Record<string, readonly FilterParam[]>> = {
  makeCode: ['makeCode', 'modelCode', 'trimCode', 'seriesCode', 'packages'],
  modelCode: ['modelCode', 'trimCode', 'seriesCode', 'packages'],
  trimCode: ['trimCode', 'packages'],
};

/** A filter whose removal brings results. */
interface Recovery {
  readonly name: string;
  /** Label of the filter to drop. */
  readonly label: string;
  readonly count: number;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
}

/**
 * Filters whose removal alone brings more results, in the upstream's order. Omits filters that are unknown,
 * not set, or whose removal brings nothing.
 */
export function recoveries(nearMisses: readonly NearMiss[], criteria: SearchCriteria): readonly Recovery[] {
  return nearMisses.flatMap(({ name, count }) => {
    const section = filterSection(name);
    if (!section || count === 0) return [];
    const params = DROPPED_TOGETHER[name] ?? section.params;
    if (!params.some((param) => criteria.filters[param])) return [];
    const apply = (current: SearchCriteria) => changeFilters(current, withoutParams(current.filters, params));
    return [{ name, label: section.label, count, apply }];
  });
}
