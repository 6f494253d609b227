import { type FilterName, type FilterSection, FILTERS } from '@forecourt/search/catalog';
import {
  SEARCH_RADIUS_OPTIONS,
  type FilterParam,
  type SearchCriteria,
  readPaymentLimit,
  writePaymentLimit,
} from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import type { Filter } from '@forecourt/upstream/entities';
import type { Catalog } from '../../domain/catalog.ts';
import { FACET_NAMES, type FacetCounts, type FacetName } from '../listingIndex/listingIndex.ts';
import type { VehicleCount } from '../listingIndex/vehicleTree.ts';
import { compareOptions, featureGroup, optionLabel } from '../../domain/labels.ts';

type Selection = SearchCriteria['filters'];

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly group?: string;
}

const isFacet = (name: string): name is FacetName => (FACET_NAMES as readonly string[]).includes(name);

/** Marks the selected options; options without results are disabled unless they are selected. */
function toOptions(choices: readonly Choice[], chosen: readonly string[]): Filter['options'][number][] {
  const selected = new Set(chosen.map((value) => value.toUpperCase()));
  return choices.map((choice) => {
    const isSelected = selected.has(choice.value.toUpperCase());
    return { ...choice, selected: isSelected, disabled: choice.count === 0 && !isSelected };
  });
}

type IsSeriesShown = (series: string, count: number, selection: Selection) => boolean;

/** Series of the chosen makes, and series that the catalog lacks if they have listings. A chosen one is always shown. */
function createSeriesRule(catalog: Catalog): IsSeriesShown {
  const makesOfSeries = Map.groupBy(
    catalog.models.filter(({ series }) => series !== undefined),
    ({ series }) => series!.code,
  );
  return (series, count, { makeCode = [], seriesCode = [] }) => {
    const makes = makesOfSeries.get(series)?.map((model) => model.makeCode);
    return (
      seriesCode.includes(series) ||
      (makes ? makes.some((make) => makeCode.includes(make)) : makeCode.length > 0 && count > 0)
    );
  };
}

/** Rules for the options of one catalog. */
interface OptionRules {
  readonly order: OptionOrder;
  readonly isSeriesShown: IsSeriesShown;
}

function facetChoices(
  name: FacetName,
  counts: FacetCounts,
  selection: Selection,
  { order, isSeriesShown }: OptionRules,
): Choice[] {
  const { values, counts: perValue } = counts.facets[name];
  const hasMake = (selection.makeCode?.length ?? 0) > 0;
  const hasModel = (selection.modelCode?.length ?? 0) > 0;
  // Series and packages of all makes together would be too long a list.
  if (name === 'seriesCode' && !hasMake && !selection.seriesCode) return [];
  if (name === 'packages' && !hasModel && !selection.packages) return [];
  return order(name, values).flatMap(({ code, ...option }) => {
    const count = perValue[code]!;
    const isShown = name !== 'seriesCode' || isSeriesShown(option.value, count, selection);
    return isShown ? [{ ...option, count }] : [];
  });
}

type Ordered = readonly {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly code: number;
}[];
type OptionOrder = (name: FacetName, values: readonly string[]) => Ordered;

/** A filter's values with labels in display order; sorted again only when a value is added. */
function createOptionOrder(catalog: Catalog): OptionOrder {
  const seriesNames = new Map(catalog.models.map(({ series }) => [series?.code, series?.name]));
  const labelOf = (name: FacetName, value: string) =>
    (name === 'seriesCode' && seriesNames.get(value)) || optionLabel(name, value);
  const cache = new Map<FacetName, { values: readonly string[]; size: number; ordered: Ordered }>();
  return (name, values) => {
    const before = cache.get(name);
    if (before?.values === values && before.size === values.length) return before.ordered;
    const ordered = values
      .map((value, code) => {
        const group = name === 'featureCode' ? featureGroup(value) : undefined;
        return { value, label: labelOf(name, value), ...(group && { group }), code };
      })
      .sort(compareOptions(name));
    cache.set(name, { values, size: values.length, ordered });
    return ordered;
  };
}

const collator = new Intl.Collator('en');

const vehicleChoices = (vehicles: readonly VehicleCount[], parent: 'make' | 'model'): Choice[] =>
  vehicles
    .map(({ code, name, count, [parent]: group }) => ({
      value: code,
      label: name,
      count,
      ...(group && { group: group.name }),
    }))
    .sort(
      (a, b) =>
        collator.compare(a.group ?? '', b.group ?? '') ||
        collator.compare(a.label, b.label) ||
        collator.compare(a.value, b.value),
    );

/** Trims with the same code under two makes are one option. */
function choicesOf(
  name: FilterName,
  counts: FacetCounts,
  selection: Selection,
  rules: OptionRules,
): Choice[] {
  if (isFacet(name)) return facetChoices(name, counts, selection, rules);
  switch (name) {
    case 'makeCode':
      return vehicleChoices(counts.makes, 'make');
    case 'modelCode':
      return selection.makeCode || selection.modelCode ? vehicleChoices(counts.models, 'make') : [];
    case 'trimCode':
      return selection.modelCode || selection.trimCode ? vehicleChoices(counts.trims, 'model') : [];
    case 'searchRadius':
      return SEARCH_RADIUS_OPTIONS.map((miles) => ({
        value: String(miles),
        label: miles === 0 ? 'Any Distance' : `${miles} Miles`,
        count: counts.radius.get(miles) ?? 0,
      }));
    case 'marketExtension':
      return [{ value: 'include', label: optionLabel(name, 'include'), count: counts.extendedDelivery }];
    case 'yearRange':
      return counts.years
        .toReversed()
        .map(({ year, count }) => ({ value: String(year), label: String(year), count }));
    case 'monthlyPayment': {
      const terms = readPaymentLimit(selection.monthlyPayment?.[0] ?? '')?.terms ?? {};
      return [...counts.monthlyPayment].map(([max, count]) => {
        const value = writePaymentLimit({ max, terms });
        return { value, label: optionLabel('monthlyPayment', value), count };
      });
    }
    case 'mileage':
      return [...counts.mileage].map(([miles, count]) => {
        const value = String(miles);
        return { value, label: optionLabel('mileage', value), count };
      });
    case 'mpgRange':
      return [...counts.mpg].map(([mpg, count]) => ({ value: `${mpg}-MPG`, label: `${mpg}+ MPG`, count }));
    case 'electricMileRange':
      return [...counts.electricRange].map(([miles, count]) =>
        miles === 'UNSPECIFIED'
          ? { value: miles, label: 'Unspecified', count }
          : { value: String(miles), label: `${formatNumber(miles)}+ Miles`, count },
      );
    default:
      return [];
  }
}

function histogramOf(name: FilterName, counts: FacetCounts): Filter['histogram'] {
  if (name === 'priceRange' && counts.priceHistogram) {
    const { min, step, counts: bars, isOpenStart, isOpenEnd } = counts.priceHistogram;
    return {
      min,
      max: min + step * bars.length,
      step,
      counts: [...bars],
      ...(isOpenStart && { isOpenStart }),
      ...(isOpenEnd && { isOpenEnd }),
    };
  }
  if (name === 'yearRange') {
    const used = counts.years.filter(({ count }) => count > 0);
    const [oldest, newest] = [used[0]?.year, used.at(-1)?.year];
    if (oldest === undefined || newest === undefined) return undefined;
    const bars = new Array<number>(newest - oldest + 1).fill(0);
    for (const { year, count } of used) bars[year - oldest] = count;
    return { min: oldest, max: newest, step: 1, counts: bars };
  }
  return undefined;
}

const chosenOf = (section: FilterSection, selection: Selection): string[] =>
  section.params.flatMap((param: FilterParam) => selection[param] ?? []);

/** Builds the filters of a response; caches the order of the options. */
export type FilterBuilder = (criteria: SearchCriteria, counts: FacetCounts | undefined) => Filter[];

/**
 * Every filter with its options, in panel order. Without counts the
 * filters have no options, and the page still learns what is selected.
 */
export function createFilterBuilder(catalog: Catalog): FilterBuilder {
  const rules = { order: createOptionOrder(catalog), isSeriesShown: createSeriesRule(catalog) };
  return (criteria, counts) =>
    FILTERS.map((section): Filter => {
      const { name, label } = section;
      const chosen = chosenOf(section, criteria.filters);
      const histogram = counts && histogramOf(name, counts);
      return {
        name,
        label,
        collapsed: chosen.length === 0,
        value: chosen.join(','),
        options: counts ? toOptions(choicesOf(name, counts, criteria.filters, rules), chosen) : [],
        ...(histogram && { histogram }),
      };
    }).map(enableAnyDistance);
}

/** 'Any Distance' is always enabled, so that shoppers can leave a radius without results. */
const enableAnyDistance = (filter: Filter): Filter =>
  filter.name === 'searchRadius'
    ? {
        ...filter,
        options: filter.options.map((option) =>
          option.value === '0' ? { ...option, disabled: false } : option,
        ),
      }
    : filter;

const GROUPS: readonly {
  readonly name: string;
  readonly label: string;
  readonly filters: readonly FilterName[];
}[] = [
  {
    name: 'where',
    label: 'Location',
    filters: ['location', 'zip', 'searchRadius', 'marketExtension', 'area'],
  },
  {
    name: 'price',
    label: 'Price and Deals',
    filters: ['priceRange', 'monthlyPayment', 'dealType', 'vehicleExchange'],
  },
  {
    name: 'vehicle',
    label: 'Vehicle',
    filters: [
      'listingType',
      'yearRange',
      'makeCode',
      'modelCode',
      'seriesCode',
      'trimCode',
      'packages',
      'vehicleStyleCode',
      'seatCount',
      'mileage',
      'vehicleUseType',
      'bodyStyleSubtypeCode',
      'truckBedLength',
      'suvSubtypeCode',
      'vanSubtypeCode',
      'sedanSubtypeCode',
    ],
  },
  {
    name: 'performance',
    label: 'Engine and Economy',
    filters: [
      'fuelTypeGroup',
      'mpgRange',
      'electricMileRange',
      'driveGroup',
      'transmissionCode',
      'engineCode',
      'engineDisplacement',
    ],
  },
  {
    name: 'features',
    label: 'Features and Colors',
    filters: ['featureCode', 'extColorSimple', 'intColorSimple', 'doorCode'],
  },
  {
    name: 'seller',
    label: 'Seller and History',
    filters: ['sellerType', 'homeServices', 'vehicleHistoryType'],
  },
];

/** Filters that no group lists; they are added to the end of the group 'vehicle'. */
const UNGROUPED = FILTERS.map(({ name }) => name).filter((name) =>
  GROUPS.every(({ filters }) => !filters.includes(name)),
);

/** Headings that group the filters. */
export const filterGroups = () =>
  GROUPS.map(({ filters, ...group }) => ({
    ...group,
    filters: group.name === 'vehicle' ? [...filters, ...UNGROUPED] : [...filters],
  }));
