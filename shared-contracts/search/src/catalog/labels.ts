import {
  BODY_STYLES,
  FUEL_GROUPS,
  LISTING_TYPE_LABELS,
  SELLER_TYPES,
  LISTING_TYPES,
} from '@forecourt/upstream/codes';
import type { Filter } from '@forecourt/upstream/entities';
import { paymentLimitLabel } from '../criteria/paymentFilter.ts';
import { sectionOfParam } from '../criteria/filterSections.ts';
import { type SlugReference, EMPTY_SLUG_REFERENCE } from '../criteria/slugs.ts';
import type { FilterParam, FilterValues } from '../criteria/criteria.ts';
import { formatDollars, formatNumber } from '../format/format.ts';
import type { Brand } from '../brands/brands.ts';

/** The label of a parameter's value; never empty. */
export type LabelOf = (param: FilterParam, value: string) => string;

interface LabelSource {
  /** Filters of the API's response; their labels take precedence. */
  readonly filters?: readonly Pick<Filter, 'name' | 'options'>[];
  readonly reference?: SlugReference;
  /** The selected makes decide between models with the same code. */
  readonly chosen?: FilterValues;
}

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const DEAL_TYPES = { greatprice: 'Great Price', goodprice: 'Good Price' };
const USE_TYPES = { PERSONAL: 'Personal', COMMERCIAL: 'Commercial' };
const STYLES = Object.fromEntries(Object.entries(BODY_STYLES).map(([code, style]) => [code, style.label]));

/** 75000 → '75,000'. Released remotes import it; new code uses `formatNumber`. */
export const withThousands = (value: number | string): string => formatNumber(Number(value));

/** The leading whole number of a code such as '30-MPG'; undefined if there is none. */
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
      return `Under ${formatNumber(Number(value))} Miles`;
    case 'monthlyPayment':
      return paymentLimitLabel(value);
    case 'mpgRange':
      return `${leadingNumber(value) ?? value}+ MPG`;
    case 'electricMileRange': {
      const miles = leadingNumber(value);
      return miles === undefined ? undefined : `${formatNumber(miles)}+ Mile Range`;
    }
    case 'keyword':
      // Quotation marks that the shopper typed are shown once.
      return `\u201c${value.replace(/^"(.+)"$/, '$1')}\u201d`;
    case 'area':
      return sectionOfParam(param)?.label;
    default: {
      const section = sectionOfParam(param);
      return section?.kind === 'boolean' ? section.label : undefined;
    }
  }
}

/**
 * Labels from the API's filters, otherwise from the reference and the fixed code tables, otherwise the code
 * itself.
 */
export function createLabels(source: LabelSource): LabelOf {
  // Searched, not indexed: a page asks for few labels of hundreds of options.
  const optionOf = (param: FilterParam, value: string) =>
    source.filters?.find(({ name }) => name === param)?.options.findLast((option) => option.value === value);
  return (param, value) => {
    const label = optionOf(param, value)?.label;
    // The API labels what it doesn't know by the code itself.
    return (label === value ? undefined : label) || knownLabel(param, value, source) || value;
  };
}

const dollars = (value: string) => formatDollars(Number(value));

/** Text of a price range, shared by chips and breadcrumbs. */
export function priceText(filters: Pick<FilterValues, 'minPrice' | 'maxPrice'>): string | undefined {
  const min = filters.minPrice?.[0];
  const max = filters.maxPrice?.[0];
  if (min && max) return `Between ${dollars(min)} - ${dollars(max)}`;
  if (min) return `Over ${dollars(min)}`;
  return max && `Under ${dollars(max)}`;
}

/** Text of a year range; a single year has no range. */
export function yearText(filters: Pick<FilterValues, 'startYear' | 'endYear'>): string | undefined {
  const start = filters.startYear?.[0];
  const end = filters.endYear?.[0];
  if (start && end) return start === end ? start : `${start} - ${end}`;
  if (start) return `${start} or Newer`;
  return end && `${end} or Older`;
}

/**
 * The place of a search: 'City, ST', otherwise the ZIP or the state (AMB-060). A ZIP from which only distances are
 * measured, because a map area is searched, is none.
 */
export function placeText(
  filters: Pick<FilterValues, 'zip' | 'city' | 'state' | 'area' | 'searchRadius'>,
  lookedUp?: { readonly city: string; readonly state: string },
): string | undefined {
  const city = filters.city?.[0];
  const state = filters.state?.[0];
  if (city && state) return `${city}, ${state}`;
  if (filters.area && !filters.searchRadius) return city ?? state;
  if (filters.zip && lookedUp) return `${lookedUp.city}, ${lookedUp.state}`;
  return filters.zip?.[0] ?? city ?? state;
}

/** 'New', 'New and Used', 'New, Used and Certified'. */
function joinLabels(labels: readonly string[]): string {
  if (labels.length < 2) return labels[0] ?? '';
  return `${labels.slice(0, -1).join(', ')} and ${labels[labels.length - 1]}`;
}

/**
 * The conditions of a search as text, in the case of the brand's copy (AMB-068): up to three are named; all
 * four mean any condition, so none is named. Unknown codes are ignored.
 */
export function conditionSummary(codes: readonly string[], copyCase: Brand['copyCase'] = 'title'): string {
  const selected = LISTING_TYPES.filter((code) => codes.includes(code));
  if (selected.length > MAX_NAMED_CONDITIONS) return '';
  const summary = joinLabels(selected.map((code) => LISTING_TYPE_LABELS[code]));
  return copyCase === 'lower' ? summary.toLowerCase() : summary;
}

/** Maximum number of conditions that a summary names. */
const MAX_NAMED_CONDITIONS = 3;
