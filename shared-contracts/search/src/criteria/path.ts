import { BODY_STYLES, type FuelGroup } from '@forecourt/upstream/codes';
import type { FilterParam, FilterValues } from './criteria.ts';
import type { SlugReference } from './slugs.ts';
import { stateCode, hasControls } from './text.ts';

/** The shared listings route. */
export const RESULTS_PATH = '/cars-for-sale';
/** Path of a search without filters in the path. */
export const DEFAULT_PATH = '/cars-for-sale/all-cars';
/** First segments of other pages and calls (AMB-045). */
export const RESERVED_SEGMENTS: readonly string[] = [
  'vehicle',
  'svc',
  'api',
  'searchoptions',
  'kbbresearch',
  'consumer-device',
  'still-interested',
  'build-your-price',
  'compare',
];

/** URL slugs of the fuel groups (AMB-046). */
const FUEL_SLUGS: Record<string, FuelGroup> = {
  electric: 'ELE',
  gasoline: 'GSL',
  diesel: 'DSL',
  hybrid: 'HYB',
  'plug-in-hybrid': 'PIH',
  alternative: 'ALT',
  hydrogen: 'HYD',
};

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  all: [],
  new: ['NEW'],
  used: ['USED'],
  certified: ['CERTIFIED'],
};

export type NotFoundReason =
  /** The path is not below /cars-for-sale. */
  | 'notSearch'
  /** Another page or call owns the first segment. */
  | 'reserved'
  /** The first segment is neither all-cars nor a condition, and names nothing else. */
  | 'unknownPath'
  /** A segment names no year, style, fuel, make, model, trim or city. */
  | 'unknownSegment'
  /** Not percent-encoded UTF-8, or control characters in it. */
  | 'malformed'
  /** The makes are not known (upstream away): whether the page exists cannot be said. */
  | 'referenceMissing';

type PathResult =
  | { readonly filters: Partial<Record<FilterParam, readonly string[]>> }
  | { readonly reason: NotFoundReason };

const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const STYLE_BY_SLUG: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BODY_STYLES).map(([code, style]) => [style.slug, code]),
);
const SLUG_BY_FUEL: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FUEL_SLUGS).map(([slug, code]) => [code, slug]),
);

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** 'san-francisco-ca' → San Francisco, CA; undefined for a segment that is not '{city}-{st}'. */
function cityOf(segment: string): { city: string; state: string } | undefined {
  const match = /^([a-z]+(?:-[a-z]+)*)-([a-z]{2})$/.exec(segment);
  const state = match?.[2] && stateCode(match[2]);
  if (!match?.[1] || !state) return undefined;
  return { city: match[1].split('-').map(capitalize).join(' '), state };
}

function segmentsOf(pathname: string): string[] | undefined {
  try {
    const decoded = pathname.split('/').map((segment) => decodeURIComponent(segment));
    if (decoded.some((segment) => hasControls(segment) || segment.includes('/'))) return undefined;
    return decoded.map((segment) => segment.trim().toLowerCase()).filter(Boolean);
  } catch {
    return undefined;
  }
}

/**
 * Parses the filters in a path (AMB-045, AMB-046). After a make, a segment is matched against its models
 * first, so that models named like a year or a style ('ram/2500') are found.
 */
export function parsePath(pathname: string, reference: SlugReference): PathResult {
  const segments = segmentsOf(pathname);
  if (!segments) return { reason: 'malformed' };
  const [root, first, ...rest] = segments;
  if (`/${root}` !== RESULTS_PATH) return { reason: 'notSearch' };
  if (first === undefined || (first === 'all-cars' && rest.length === 0)) return { filters: {} };
  if (RESERVED_SEGMENTS.includes(first)) return { reason: 'reserved' };
  const listingType = lookUp(CONDITIONS, first);
  const filters: Partial<Record<FilterParam, readonly string[]>> = {};
  if (listingType && listingType.length > 0) filters.listingType = listingType;
  // '/cars-for-sale/ford' is read as '/cars-for-sale/all/ford', which is how it is written.
  const names = listingType ? rest : [first, ...rest];
  for (const [index, segment] of names.entries()) {
    const parsedFilters = readSegment(segment, index === names.length - 1, filters, reference);
    if (!parsedFilters) {
      if (reference.isEmpty) return { reason: 'referenceMissing' };
      return { reason: listingType || index > 0 ? 'unknownSegment' : 'unknownPath' };
    }
    Object.assign(filters, parsedFilters);
  }
  return { filters };
}

function readSegment(
  segment: string,
  isLast: boolean,
  filters: FilterValues,
  reference: SlugReference,
): Partial<Record<FilterParam, readonly string[]>> | undefined {
  const make = filters.makeCode?.[0];
  const model = filters.modelCode?.[0];
  if (make && !model) {
    const code = reference.modelBySlug(make, segment);
    if (code) return { modelCode: [code] };
  }
  if (make && model && !filters.trimCode) {
    const code = reference.trimBySlug(make, model, segment);
    if (code) return { trimCode: [code] };
  }
  if (!filters.startYear && /^(19|20)\d{2}$/.test(segment))
    return { startYear: [segment], endYear: [segment] };
  const style = lookUp(STYLE_BY_SLUG, segment);
  if (style && !filters.vehicleStyleCode) return { vehicleStyleCode: [style] };
  const fuel = lookUp(FUEL_SLUGS, segment);
  if (fuel && !filters.fuelTypeGroup) return { fuelTypeGroup: [fuel] };
  const makeCode = make ? undefined : reference.makeBySlug(segment);
  if (makeCode) return { makeCode: [makeCode] };
  const city = isLast ? cityOf(segment) : undefined;
  return city && { city: [city.city], state: [city.state] };
}

const single = (values: readonly string[] | undefined): string | undefined =>
  values?.length === 1 ? values[0] : undefined;

/** Candidate segments for the filters, in order, each with its parameters. */
function segmentsFor(filters: FilterValues, reference: SlugReference) {
  const segments: { slug: string; params: FilterParam[] }[] = [];
  const add = (slug: string | undefined, ...params: FilterParam[]) => {
    const isWritable = slug !== undefined && /^[a-z0-9][a-z0-9._~-]*$/.test(slug);
    if (isWritable) segments.push({ slug, params });
    return isWritable;
  };
  const year = single(filters.startYear);
  if (year && year === single(filters.endYear)) add(year, 'startYear', 'endYear');
  const style = single(filters.vehicleStyleCode);
  if (style) add(lookUp<{ slug: string }>(BODY_STYLES, style)?.slug, 'vehicleStyleCode');
  const fuel = single(filters.fuelTypeGroup);
  if (fuel) add(lookUp(SLUG_BY_FUEL, fuel), 'fuelTypeGroup');
  const make = single(filters.makeCode);
  const model = single(filters.modelCode);
  const trim = single(filters.trimCode);
  if (make && add(reference.makeSlug(make), 'makeCode'))
    if (model && add(reference.modelSlug(make, model), 'modelCode'))
      if (trim) add(reference.trimSlug(make, model, trim), 'trimCode');
  const city = single(filters.city);
  const state = single(filters.state);
  if (city && state) add(`${city}-${state}`.toLowerCase().replaceAll(' ', '-'), 'city', 'state');
  return segments;
}

const isSame = (left: readonly string[] | undefined, right: readonly string[] | undefined) =>
  left?.length === right?.length && (left ?? []).every((value, index) => value === right?.[index]);

/**
 * Writes as many filters as possible into a path, and returns their parameters; the others belong in the
 * query. Only segments that `parsePath` reads back as the same filters are written: an ambiguous city or slug
 * stays in the query.
 */
export function buildPath(
  filters: FilterValues,
  reference: SlugReference,
): { path: string; params: ReadonlySet<FilterParam> } {
  const condition = Object.keys(CONDITIONS).find(
    (name) => name !== 'all' && isSame(CONDITIONS[name], filters.listingType),
  );
  let path = `${RESULTS_PATH}/${condition ?? 'all'}`;
  const params = new Set<FilterParam>(condition ? ['listingType'] : []);
  let read: FilterValues = condition ? { listingType: CONDITIONS[condition] } : {};
  for (const segment of segmentsFor(filters, reference)) {
    const added = readSegment(segment.slug, true, read, reference);
    const isSameFilters =
      added !== undefined &&
      (Object.keys(added) as FilterParam[]).every((param) => isSame(added[param], filters[param]));
    const next = { ...read, ...added };
    if (!isSameFilters || Object.keys(next).length !== params.size + segment.params.length) continue;
    read = next;
    path += `/${segment.slug}`;
    for (const param of segment.params) params.add(param);
  }
  return { path: params.size === 0 ? DEFAULT_PATH : path, params };
}
