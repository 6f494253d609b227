import type { FilterParam, FilterValues } from '../criteria/criteria.ts';

/** Topics of a URL, by the filters with exactly one value. */
type UrlShape =
  | 'make'
  | 'make+model'
  | 'make+model+trim'
  | 'year+make+model'
  | 'year+make+model+trim'
  | 'make+model+city'
  | 'make+model+color'
  | 'make+model+bodyStyle'
  | 'make+model+sellerType'
  | 'make+model+price'
  | 'make+model+fuel'
  | 'make+model+drive'
  | 'make+model+feature';

/** Filters by place only. */
const IGNORED: readonly FilterParam[] = ['zip', 'searchRadius', 'marketExtension', 'area'];

const EXTRAS: readonly (readonly [shape: UrlShape, extra: string])[] = [
  ['make+model+city', 'city'],
  ['make+model+color', 'extColorSimple'],
  ['make+model+bodyStyle', 'vehicleStyleCode'],
  ['make+model+sellerType', 'sellerType'],
  ['make+model+price', 'price'],
  ['make+model+fuel', 'fuelTypeGroup'],
  ['make+model+drive', 'driveGroup'],
  ['make+model+feature', 'featureCode'],
];

/**
 * The parts of a search, ranges and places combined: 'year' only when both bounds are equal, 'price' only
 * with one bound, 'city' with or without its state. Parts without a single value are 'other'.
 */
function partsOf(filters: FilterValues): string[] {
  const parts: string[] = [];
  const { startYear, endYear, minPrice, maxPrice, city, state } = filters;
  if (startYear || endYear) parts.push(startYear && startYear[0] === endYear?.[0] ? 'year' : 'other');
  if (minPrice || maxPrice) parts.push(minPrice && maxPrice ? 'other' : 'price');
  if (city || state) parts.push(city ? 'city' : 'other');
  const combinedParams = ['startYear', 'endYear', 'minPrice', 'maxPrice', 'city', 'state', ...IGNORED];
  for (const [param, values] of Object.entries(filters))
    if (!combinedParams.includes(param)) parts.push(values.length === 1 ? param : 'other');
  return parts;
}

/**
 * The most specific shape of a search; undefined if there is none. A make and model with anything beyond the
 * listed extras, or with two of them, is plain make+model (AMB-047).
 */
export function recognizeUrlShape(filters: FilterValues): UrlShape | undefined {
  const parts = partsOf(filters);
  if (!parts.includes('makeCode')) return undefined;
  const extras = parts.filter((part) => part !== 'makeCode' && part !== 'modelCode');
  if (!parts.includes('modelCode')) return parts.length === 1 ? 'make' : undefined;
  if (extras.length === 2 && extras.includes('year') && extras.includes('trimCode'))
    return 'year+make+model+trim';
  if (extras.length !== 1) return 'make+model';
  if (extras[0] === 'trimCode') return 'make+model+trim';
  if (extras[0] === 'year') return 'year+make+model';
  return EXTRAS.find(([, extra]) => extra === extras[0])?.[0] ?? 'make+model';
}
