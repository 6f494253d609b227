import {
  BODY_STYLES,
  FUEL_GROUPS,
  LISTING_TYPE_LABELS,
  SELLER_TYPES,
  LISTING_TYPES,
} from '../entities/codes.ts';
import type { Filter } from '../entities/searchResponse.ts';
import { sectionOfParam } from '../criteria/filterSections.ts';
import { type SlugReference, EMPTY_SLUG_REFERENCE } from '../criteria/slugs.ts';
import type { FilterParam, FilterValues } from '../criteria/criteria.ts';
import type { Brand } from '../brands/brands.ts';

/** The words for a value of a parameter; never empty. */
export type LabelOf = (param: FilterParam, value: string) => string;

interface LabelSource {
  /** Filters of the API's answer; their labels come first. */
  readonly filters?: readonly Pick<Filter, 'name' | 'options'>[];
  readonly reference?: SlugReference;
  /** Chosen makes decide between models of the same code. */
  readonly chosen?: FilterValues;
}

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const DEAL_TYPES = { greatprice: 'Great Price', goodprice: 'Good Price' };
const USE_TYPES = { PERSONAL: 'Personal', COMMERCIAL: 'Commercial' };
const STYLES = Object.fromEntries(Object.entries(BODY_STYLES).map(([code, style]) => [code, style.label]));

/** 75000 → '75,000', the same on server and client whatever their locale. */
export const withThousands = (value: number | string): string =>
  String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** Leading whole number of a code such as '30-MPG'; undefined without one. */
function leadingNumber(code: string): number | undefined {
  const digits = /^\d+/.exec(code)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

function knownLabel(param: FilterParam, value: string, source: LabelSource): string | undefined {
  const reference = source.reference ?? EMPTY_SLUG_REFERENCE;
  const makes = source.chosen?.makeCode;
  switch (param) {
    case 'makeCode':
      return reference.makeLabel(value);
    case 'modelCode':
      return reference.modelLabel(value, makes);
    case 'trimCode':
      return reference.trimLabel(value, makes) ?? value.split('|')[1];
    case 'listingType':
      return own(LISTING_TYPE_LABELS, value);
    case 'vehicleStyleCode':
      return own(STYLES, value);
    case 'fuelTypeGroup':
      return own(FUEL_GROUPS, value);
    case 'sellerType':
      return own(SELLER_TYPES, value);
    case 'dealType':
      return own(DEAL_TYPES, value);
    case 'vehicleUseType':
      return own(USE_TYPES, value);
    case 'mileage':
      return `Under ${withThousands(value)} Miles`;
    case 'mpgRange':
      return `${leadingNumber(value) ?? value}+ MPG`;
    case 'electricMileRange': {
      const miles = leadingNumber(value);
      return miles === undefined ? undefined : `${withThousands(miles)}+ Mile Range`;
    }
    case 'keyword':
      return `\u201c${value}\u201d`;
    case 'marketExtension':
    case 'vehicleExchange':
      return sectionOfParam(param)?.label;
    default:
      return undefined;
  }
}

/** Labels from the API's filters, else from the reference and the fixed code tables, else the code itself. */
export function createLabels(source: LabelSource): LabelOf {
  const options = new Map<string, string>();
  for (const filter of source.filters ?? [])
    for (const option of filter.options) options.set(`${filter.name}\n${option.value}`, option.label);
  return (param, value) => options.get(`${param}\n${value}`) || knownLabel(param, value, source) || value;
}

const dollars = (value: string) => `$${withThousands(value)}`;

/** Words for a price range, shared by chips and breadcrumbs (A2-CRUMB-11..13, AMB-062). */
export function priceText(filters: Pick<FilterValues, 'minPrice' | 'maxPrice'>): string | undefined {
  const min = filters.minPrice?.[0];
  const max = filters.maxPrice?.[0];
  if (min && max) return `Between ${dollars(min)} - ${dollars(max)}`;
  if (min) return `Over ${dollars(min)}`;
  return max && `Under ${dollars(max)}`;
}

/** Words for a year range; one year stands alone (A2-CRUMB-10, AMB-061). */
export function yearText(filters: Pick<FilterValues, 'startYear' | 'endYear'>): string | undefined {
  const start = filters.startYear?.[0];
  const end = filters.endYear?.[0];
  if (start && end) return start === end ? start : `${start} - ${end}`;
  if (start) return `${start} or Newer`;
  return end && `${end} or Older`;
}

/** Where a search looks: 'City, ST', else the state or the ZIP (AMB-060). */
export function placeText(
  filters: Pick<FilterValues, 'zip' | 'city' | 'state'>,
  lookedUp?: { readonly city: string; readonly state: string },
): string | undefined {
  const city = filters.city?.[0];
  const state = filters.state?.[0];
  if (city && state) return `${city}, ${state}`;
  if (filters.zip && lookedUp) return `${lookedUp.city}, ${lookedUp.state}`;
  return filters.zip?.[0] ?? city ?? state;
}

/** 'New', 'New and Used', 'New, Used and Certified'. */
function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/**
 * The conditions of a search in words: up to three are named, all four mean
 * any condition and none is (A9-LIMIT-10, AMB-071), in the case of the brand's
 * copy (AMB-068). Unknown codes are ignored.
 */
export function conditionSummary(codes: readonly string[], copyCase: Brand['copyCase'] = 'title'): string {
  const chosen = LISTING_TYPES.filter((code) => codes.includes(code));
  if (chosen.length > MAX_NAMED_CONDITIONS) return '';
  const words = joinWords(chosen.map((code) => LISTING_TYPE_LABELS[code]));
  return copyCase === 'lower' ? words.toLowerCase() : words;
}

/** Conditions named in a summary; one more and none is (A9-LIMIT-10, AMB-071). */
const MAX_NAMED_CONDITIONS = 3;
