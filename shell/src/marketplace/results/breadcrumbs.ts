import type { Brand } from '@forecourt/search/brands';
import { type LabelOf, placeText, yearText, priceText } from '@forecourt/search/catalog';
import {
  type SlugReference,
  type FilterParam,
  type SearchCriteria,
  singleValue,
  changeFilters,
  withoutParams,
  leaveSponsorship,
  RELEVANCE_SORT,
  type FilterValues,
  withValues,
  PAGE_SIZE,
} from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Filter } from '@forecourt/upstream/entities';

type Crumb = SearchState['breadcrumbs'][number];

interface CrumbContext {
  readonly brand: Brand;
  readonly reference: SlugReference;
  readonly labelOf: LabelOf;
  /** City of the ZIP, if known. */
  readonly place?: { readonly city: string; readonly state: string };
}

/** The parameters of each crumb, in the order of the trail. */
const PARAMS: Readonly<Record<Exclude<Crumb['key'], 'home' | 'page'>, readonly FilterParam[]>> = {
  location: ['zip', 'searchRadius', 'state', 'city', 'area'],
  owner: ['sellerType'],
  condition: ['listingType'],
  style: ['vehicleStyleCode'],
  make: ['makeCode'],
  model: ['modelCode'],
  trim: ['trimCode'],
  year: ['startYear', 'endYear'],
  price: ['minPrice', 'maxPrice'],
  fuelType: ['fuelTypeGroup'],
  mpg: ['mpgRange'],
  electricRange: ['electricMileRange'],
};
const FILTER_KEYS = Object.keys(PARAMS) as (keyof typeof PARAMS)[];

/** The trail's keys in their order. */
export const CRUMB_KEYS: readonly Crumb['key'][] = ['home', 'page', ...FILTER_KEYS];

/** Body styles that are always commercial (AMB-063, AMB-076). */
const COMMERCIAL_STYLES = ['VANS', 'SUV'];

function styleLabel(code: string, criteria: SearchCriteria, labelOf: LabelOf): string {
  const label = labelOf('vehicleStyleCode', code);
  if (criteria.experience !== 'commercial' && !COMMERCIAL_STYLES.includes(code)) return label;
  return `Commercial ${label === 'Van / Minivan' ? 'Van' : label}`;
}

const conditionLabel = (code: string) => {
  // Third-party certified vehicles count as used.
  const name = code === '3P_CERT' ? LISTING_TYPE_LABELS.USED : LISTING_TYPE_LABELS[code as 'NEW'];
  return `${name ?? code} Cars for Sale`;
};

/** '30-MPG' → '30'. */
const numberOf = (code: string): string => /^\d+/.exec(code)?.[0] ?? code;

/** A crumb's label; undefined unless its filter has exactly one value (AMB-059). */
function labelFor(
  key: keyof typeof PARAMS,
  criteria: SearchCriteria,
  context: CrumbContext,
): string | undefined {
  const { filters } = criteria;
  const { labelOf } = context;
  if (key === 'location') return placeText(filters, context.place);
  if (key === 'year') return yearText(filters);
  if (key === 'price') return priceText(filters);
  const [param] = PARAMS[key];
  const value = param && singleValue(criteria, param);
  if (!param || value === undefined) return undefined;
  switch (key) {
    case 'owner':
      return value === 'p' ? 'By Owner' : 'By Dealer';
    case 'condition':
      return conditionLabel(value);
    case 'style':
      return styleLabel(value, criteria, labelOf);
    case 'mpg':
      return `${numberOf(value)}+`;
    case 'electricRange':
      return `${numberOf(value)} Miles`;
    default:
      return labelOf(param, value);
  }
}

/**
 * The breadcrumb trail. Each crumb links to this search
 * without the parameters of every later crumb; home to the brand's start, the
 * page crumb to all vehicles (AMB-040, AMB-057).
 */
export function breadcrumbsOf(criteria: SearchCriteria, context: CrumbContext): readonly Crumb[] {
  const isCommercial = criteria.experience === 'commercial';
  const trail = FILTER_KEYS.flatMap((key, index): Crumb[] => {
    const label = labelFor(key, criteria, context);
    if (label === undefined) return [];
    const later = FILTER_KEYS.slice(index + 1).flatMap((other) => PARAMS[other]);
    const search = changeFilters(criteria, withoutParams(criteria.filters, later));
    return [{ key, label, href: encodeUrl(search, context.reference) }];
  });
  const everything = changeFilters(
    { ...leaveSponsorship(criteria), sortBy: RELEVANCE_SORT, unknown: [] },
    {},
  );
  return [
    { key: 'home', label: 'Home', href: context.brand.homeHref },
    {
      key: 'page',
      label: isCommercial ? 'Commercial Vehicles for Sale' : 'Cars for Sale',
      href: encodeUrl(everything, context.reference),
    },
    ...trail,
  ];
}

/** Maximum number of links below the results. */
const MAX_CRAWL_PATHS = 16;

interface CrawlContext {
  /** Filters of the response: only options with a count are linked. */
  readonly filters: readonly Pick<Filter, 'name' | 'options'>[];
  readonly reference: SlugReference;
  readonly labelOf: LabelOf;
}

/** Parameters that narrow a search next: its makes, the models of its make, or the years and trims of its model. */
function nextSteps(criteria: SearchCriteria): readonly (readonly [name: string, params: FilterParam[]])[] {
  const hasMake = singleValue(criteria, 'makeCode') !== undefined;
  const hasModel = singleValue(criteria, 'modelCode') !== undefined;
  if (hasMake && hasModel)
    return [
      ['yearRange', ['startYear', 'endYear']],
      ['trimCode', ['trimCode']],
    ];
  return hasMake ? [['modelCode', ['modelCode']]] : [['makeCode', ['makeCode']]];
}

/**
 * Links from a search to narrower ones: makes, models of its make, or years and
 * trims of its model. Most frequent first, without counts,
 * which apply to this search and not to the wider one behind a link. Links keep
 * only the condition, so that each is its own canonical URL. None for several
 * makes or models, or for a model without a make.
 */
export function crawlPathsOf(
  criteria: SearchCriteria,
  context: CrawlContext,
): readonly SearchState['crawlPaths'][number][] {
  const { makeCode, modelCode, listingType } = criteria.filters;
  if ((makeCode?.length ?? 0) > 1 || (modelCode?.length ?? 0) > 1 || (modelCode && !makeCode)) return [];
  const base: FilterValues = {
    ...(makeCode && { makeCode }),
    ...(modelCode && { modelCode }),
    ...(listingType?.length === 1 && { listingType }),
  };
  const words = (['makeCode', 'modelCode'] as const).flatMap((param) => {
    const code = base[param]?.[0];
    return code === undefined ? [] : [context.labelOf(param, code)];
  });
  const steps = nextSteps(criteria);
  return steps.flatMap(([name, params]) => {
    const options = context.filters.find((filter) => filter.name === name)?.options ?? [];
    return options
      .toSorted((left, right) => (right.count ?? 0) - (left.count ?? 0))
      .flatMap(({ value, label, count = 0 }): SearchState['crawlPaths'][number][] => {
        if (count === 0 || params.some((param) => base[param])) return [];
        const filters = params.reduce((all, param) => withValues(all, param, [value]), base);
        if (!params.every((param) => filters[param])) return [];
        const target: SearchCriteria = {
          filters,
          sortBy: RELEVANCE_SORT,
          firstRecord: 0,
          numRecords: PAGE_SIZE,
          unknown: [],
        };
        const text = name === 'yearRange' ? [label, ...words] : [...words, label];
        return [{ label: text.join(' '), href: encodeUrl(target, context.reference) }];
      })
      .slice(0, Math.floor(MAX_CRAWL_PATHS / steps.length));
  });
}
