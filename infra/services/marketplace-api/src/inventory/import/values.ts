import { hash } from 'node:crypto';

const MILES_PER_KILOMETER = 0.621371;
const CURRENCY = /US\$|USD|EUR|[$€£]/gi;
const GROUP_SIGNS = /[\s\u00a0\u202f'’_]/g;
const NO_PRICE = /^(?:call.*|contact.*|n\/?a|null|none|tba|tbd|-+|poa)$/i;

/** A value that does not fit its column. The message is for the owner of the feed. */
export class UnreadableValue extends Error {
  readonly code = 'UNREADABLE_VALUE';
}

/**
 * Parses a number in common notations: '18,732', '18.732,50', '1 234 567',
 * "1'200", '24.5k'. With one kind of separator, three digits after it mean
 * thousands ('18.732' is 18732), other counts a fraction ('18.73').
 * Undefined for anything else.
 */
export function parseNumber(text: string): number | undefined {
  const compact = text.replace(GROUP_SIGNS, '');
  const [, sign = '', digits = '', thousands = ''] = /^([-+]?)([\d.,]+)(k?)$/i.exec(compact) ?? [];
  if (!/\d/.test(digits)) return undefined;
  const plain = withoutGroups(digits);
  if (plain === undefined) return undefined;
  const value = Number(plain) * (thousands ? 1_000 : 1);
  return sign === '-' ? -value : value;
}

function withoutGroups(digits: string): string | undefined {
  const lastComma = digits.lastIndexOf(',');
  const lastPoint = digits.lastIndexOf('.');
  if (lastComma < 0 && lastPoint < 0) return digits;
  const last = Math.max(lastComma, lastPoint);
  const other = lastComma > lastPoint ? '.' : ',';
  const [whole, fraction] = [digits.slice(0, last), digits.slice(last + 1)];
  const sign = digits[last] ?? ',';
  if (digits.includes(other)) {
    // With both kinds, the last one is the decimal separator and must be unique.
    return whole.includes(sign) || !isGrouped(whole, other) ? undefined : join(whole, fraction);
  }
  if (isGrouped(digits, sign)) return digits.replaceAll(sign, '');
  return whole.includes(sign) ? undefined : join(whole, fraction);
}

function isGrouped(digits: string, sign: string): boolean {
  const [first = '', ...groups] = digits.split(sign);
  return groups.length > 0 && /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

function join(whole: string, fraction: string): string {
  return `${whole.replace(/[.,]/g, '') || '0'}.${fraction || '0'}`;
}

const HIGHEST_PRICE = 10_000_000;

/** Whole US dollars; undefined for no price (empty, zero, 'Call'). */
export function parsePrice(text: string): number | undefined {
  const bare = text.replace(CURRENCY, '').trim();
  if (bare === '' || NO_PRICE.test(bare)) return undefined;
  const value = parseNumber(bare);
  if (value === undefined) throw new UnreadableValue(`price '${text}' is not an amount`);
  if (value < 0 || value > HIGHEST_PRICE) throw new UnreadableValue(`price '${text}' is out of range`);
  return Math.round(value) || undefined;
}

const HIGHEST_MILEAGE = 2_000_000;

/** Whole miles; a unit in the text takes precedence over the feed's unit. */
export function parseMileage(text: string, unit: 'mi' | 'km'): number | undefined {
  const [, amount = '', ownUnit = ''] =
    /^(.*?)\s*(mi\.?|miles?|km|kms|kilomet(?:er|re)s?)?$/i.exec(text.trim()) ?? [];
  if (amount === '' || NO_PRICE.test(amount)) return undefined;
  const value = parseNumber(amount);
  if (value === undefined) throw new UnreadableValue(`mileage '${text}' is not a number`);
  const isKilometers = ownUnit ? /^k/i.test(ownUnit) : unit === 'km';
  const miles = Math.round(value * (isKilometers ? MILES_PER_KILOMETER : 1));
  if (miles < 0 || miles > HIGHEST_MILEAGE) throw new UnreadableValue(`mileage '${text}' is out of range`);
  return miles;
}

/** Most photos of a listing. */
const MAX_PHOTOS = 40;
const MAX_URL_LENGTH = 2_000;

/** The http(s) URLs in a cell, separated by '|', ';', white space, or a comma before the next one; each once. */
export function parsePhotoUrls(text: string): string[] {
  const urls = text
    .split(/[|;\s]+|,(?=\s*https?:)/)
    .filter((part) => /^https?:\/\//i.test(part) && part.length <= MAX_URL_LENGTH && URL.canParse(part));
  return [...new Set(urls.map((url) => new URL(url).href))].slice(0, MAX_PHOTOS);
}

const OLDEST_YEAR = 1900;

/** A model year: '2022', '2022.0', 'MY2022', "'22", '22'. */
export function parseYear(text: string, currentYear: number): number {
  const [, digits = ''] = /^(?:MY\s*)?['’]?(\d{4}|\d{2})(?:\.0+)?$/i.exec(text.trim()) ?? [];
  const newest = currentYear + 2;
  let year = Number(digits);
  if (digits.length === 2) year += year + 2000 <= newest ? 2000 : 1900;
  if (!digits || year < OLDEST_YEAR || year > newest)
    throw new UnreadableValue(`year '${text}' is not a model year`);
  return year;
}

/** Days since 1970-01-01 UTC, from an ISO or US date. */
export function parseDay(text: string): number | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  const [year, month, day] = american
    ? [american[3], american[1], american[2]]
    : iso
      ? [iso[1], iso[2], iso[3]]
      : [];
  if (!year || !month || !day) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? date.getTime() / 86_400_000 : undefined;
}

/** Entries of a cache. */
export const MAX_MEMOIZED = 20_000;

/** Memoizes a function; the cache is cleared when it is full. */
export function memoize<T>(compute: (...parts: string[]) => T): (...parts: string[]) => T {
  const cache = new Map<string, T>();
  return (...parts) => {
    const key = parts.join('\n');
    let result = cache.get(key);
    if (result === undefined) {
      result = compute(...parts);
      if (cache.size >= MAX_MEMOIZED) cache.clear();
      cache.set(key, result);
    }
    return result;
  };
}

/** A field, or none without a value. */
export function optionalField<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined || value === '' ? {} : ({ [key]: value } as Partial<Record<K, T>>);
}

export const digestOf = (text: string): string => hash('sha256', text);
