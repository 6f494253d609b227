import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPES, SELLER_TYPES } from '../entities/codes.ts';
import { MAX_SEARCH_RADIUS, MAX_MAKE_GROUPS } from './limits.ts';
import { normalizeZip } from './zip.ts';
import type { FilterParam } from './criteria.ts';
import {
  stateCode,
  MAX_TEXT_LENGTH,
  MAX_WHOLE_NUMBER,
  cleanText,
  firstOf,
  splitList,
  wholeNumber,
} from './text.ts';

/** Reads all given values of one parameter, whatever names they came by, into those of the state. */
type Read = (raw: readonly string[]) => readonly string[];

const list =
  (accept: (value: string) => string | undefined = (value) => value): Read =>
  (raw) => [
    ...new Set(
      splitList(raw)
        .map(accept)
        .filter((value) => value !== undefined),
    ),
  ];

/** Lists whose order means nothing stand in ascending order, so that one search has one URL (AMB-048). */
const sorted =
  (read: Read): Read =>
  (raw) =>
    [...read(raw)].sort();

const one =
  (read: (text: string) => string | undefined): Read =>
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
/** A code of a closed table in any case; others stay as they are, since the upstream may know them (AMB-076). */
const known = (table: object) => (raw: string) => (Object.hasOwn(table, upper(raw)) ? upper(raw) : raw);
const text = one((raw) => cleanText(raw, MAX_TEXT_LENGTH) || undefined);
const codes = sorted(list());

/** '30-MPG', '30+' and '30' all mean 30 or more (AMB-052). */
const mpg = (raw: string) => {
  const bound = /^\d{1,3}/.exec(raw)?.[0];
  return bound === undefined ? undefined : `${Number(bound)}-MPG`;
};

const year = (raw: string) => (/^(19|20)\d{2}$/.test(raw.trim()) ? raw.trim() : undefined);

/** A form sent without scripts may hold '$12,000' as it was typed. 0 is no bound (AMB-091). */
const price: Read = (raw) =>
  numberBetween(1, MAX_WHOLE_NUMBER)(raw.map((typed) => typed.replace(/[$,]/g, '')));

const SPECIAL: Partial<Record<FilterParam, Read>> = {
  zip: one((raw) => normalizeZip(raw)),
  searchRadius: numberBetween(0, MAX_SEARCH_RADIUS),
  state: one(stateCode),
  city: text,
  keyword: text,
  marketExtension: one((raw) => oneOf(['include', 'off'], lower)(raw.trim())),
  startYear: one(year),
  endYear: one(year),
  minPrice: price,
  maxPrice: price,
  mileage: numberBetween(0, MAX_WHOLE_NUMBER),
  listingType: sorted(list(oneOf(LISTING_TYPES, upper))),
  sellerType: sorted(list(oneOf(Object.keys(SELLER_TYPES), lower))),
  dealType: sorted(list(oneOf(['goodprice', 'greatprice'], lower))),
  mpgRange: sorted(list(mpg)),
  vehicleStyleCode: sorted(list(known(BODY_STYLES))),
  fuelTypeGroup: sorted(list(known(FUEL_GROUPS))),
  // The order of makes, models and trims is that of the panel's groups (AMB-048).
  makeCode: (raw) => list()(raw).slice(0, MAX_MAKE_GROUPS),
  modelCode: list(),
  // 'model code|trim'; without the bar it names nothing (B2-QP-01).
  trimCode: list((value) => (/^[^|]+\|[^|]+$/.test(value) ? value : undefined)),
};

/**
 * Values of one filter parameter in their normal form: trimmed, clamped,
 * without duplicates and unknown closed codes, in the order of the URL.
 * Reading the result again gives the same result.
 */
export const readValues = (param: FilterParam, raw: readonly string[]): readonly string[] =>
  (SPECIAL[param] ?? codes)(raw);
