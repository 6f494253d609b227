import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPES, SELLER_TYPES } from '@forecourt/upstream/codes';
import { MAX_SEARCH_RADIUS, MAX_MAKE_GROUPS, type FilterParam } from './criteria.ts';
import { readMapArea, writeMapArea } from './mapArea.ts';
import { readPaymentLimit, writePaymentLimit } from './paymentFilter.ts';
import {
  stateCode,
  MAX_TEXT_LENGTH,
  MAX_WHOLE_NUMBER,
  cleanText,
  firstOf,
  splitList,
  wholeNumber,
} from './text.ts';

/** Exactly five digits. */
export const isZip = (text: unknown): text is string =>
  typeof text === 'string' && text.length === ZIP_LENGTH && /^[0-9]+$/.test(text);

/**
 * Normalizes a ZIP from a URL, bookmark or cookie: its first five characters, or undefined unless they are a
 * ZIP.
 */
export function normalizeZip(raw: string | null | undefined): string | undefined {
  const digits = raw?.trim().slice(0, ZIP_LENGTH);
  return isZip(digits) ? digits : undefined;
}

/** Error message of the ZIP fields in filter and location editor. */
export const INVALID_ZIP = 'Enter a valid ZIP Code';

/**
 * Validates the format of a typed ZIP: exactly five digits, never truncated. A valid one still needs a lookup.
 */
export const typedZipError = (text: string): string | undefined => (isZip(text) ? undefined : INVALID_ZIP);

/** Digits of a ZIP code. */
export const ZIP_LENGTH = 5;

/** Normalizes all given values of one parameter, merged from all of its names. */
type Normalizer = (raw: readonly string[]) => readonly string[];

const list =
  (accept: (value: string) => string | undefined = (value) => value): Normalizer =>
  (raw) => [
    ...new Set(
      splitList(raw)
        .map(accept)
        .filter((value) => value !== undefined),
    ),
  ];

/** Sorts lists whose order has no meaning, so that equal searches have equal URLs (AMB-048). */
const sorted =
  (read: Normalizer): Normalizer =>
  (raw) =>
    [...read(raw)].sort();

const one =
  (read: (text: string) => string | undefined): Normalizer =>
  (raw) => {
    const value = firstOf(raw, read);
    return value === undefined ? [] : [value];
  };

const numberBetween = (min: number, max: number) =>
  one((text) => {
    const value = wholeNumber(text);
    return value === undefined || value < min ? undefined : String(Math.min(value, max));
  });

const oneOf = (values: readonly string[], toCase: (text: string) => string) => (raw: string) => {
  const value = toCase(raw);
  return values.includes(value) ? value : undefined;
};

const upper = (text: string) => text.toUpperCase();
const lower = (text: string) => text.toLowerCase();
/**
 * Accepts a known code in any case; unknown codes stay unchanged, because the upstream may know them
 * (AMB-076).
 */
const knownCode = (table: object) => (raw: string) => (Object.hasOwn(table, upper(raw)) ? upper(raw) : raw);
const text = one((raw) => cleanText(raw, MAX_TEXT_LENGTH) || undefined);
const codes = sorted(list());

/** '30-MPG', '30+' and '30' all mean 30 or more (AMB-052). */
const mpg = (raw: string) => {
  const bound = /^\d{1,3}/.exec(raw)?.[0];
  return bound === undefined ? undefined : `${Number(bound)}-MPG`;
};

const year = (raw: string) => (/^(19|20)\d{2}$/.test(raw.trim()) ? raw.trim() : undefined);

/** Without JavaScript, a form may send '$12,000' as typed. 0 means no bound (AMB-091). */
const price: Normalizer = (raw) =>
  numberBetween(1, MAX_WHOLE_NUMBER)(raw.map((typed) => typed.replace(/[$,]/g, '')));

const SPECIAL: Partial<Record<FilterParam, Normalizer>> = {
  zip: one((raw) => normalizeZip(raw)),
  searchRadius: numberBetween(0, MAX_SEARCH_RADIUS),
  state: one(stateCode),
  city: text,
  keyword: text,
  area: one((raw) => {
    const area = readMapArea(raw);
    return area && writeMapArea(area);
  }),
  marketExtension: one((raw) => oneOf(['include', 'off'], lower)(raw.trim())),
  startYear: one(year),
  endYear: one(year),
  minPrice: price,
  maxPrice: price,
  monthlyPayment: one((raw) => {
    const limit = readPaymentLimit(raw);
    return limit && writePaymentLimit(limit);
  }),
  mileage: numberBetween(0, MAX_WHOLE_NUMBER),
  listingType: sorted(list(oneOf(LISTING_TYPES, upper))),
  sellerType: sorted(list(oneOf(Object.keys(SELLER_TYPES), lower))),
  dealType: sorted(list(oneOf(['goodprice', 'greatprice'], lower))),
  mpgRange: sorted(list(mpg)),
  vehicleStyleCode: sorted(list(knownCode(BODY_STYLES))),
  fuelTypeGroup: sorted(list(knownCode(FUEL_GROUPS))),
  // Makes, models and trims keep the order of the panel's groups (AMB-048).
  makeCode: (raw) => list()(raw).slice(0, MAX_MAKE_GROUPS),
  modelCode: list(),
  // 'model code|trim'; invalid without the bar.
  trimCode: list((value) => (/^[^|]+\|[^|]+$/.test(value) ? value : undefined)),
};

/**
 * Normalizes the values of one filter parameter: trimmed, clamped, without duplicates and unknown codes of
 * closed tables, in URL order. Idempotent.
 */
export const readValues = (param: FilterParam, raw: readonly string[]): readonly string[] =>
  (SPECIAL[param] ?? codes)(raw);
