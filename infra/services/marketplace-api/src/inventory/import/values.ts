import { hash } from 'node:crypto';

const MILES_PER_KILOMETER = 0.621371;
const GROUP_SIGNS = /[\s\u00a0\u202f'’_]/g;

/** A value that does not fit its column. The message is for the owner of the feed. */
export class UnreadableValue extends Error {
  readonly code = 'UNREADABLE_VALUE';
  readonly kind: 'unreadable' | 'implausible' | 'currency';

  constructor(message: string, kind: UnreadableValue['kind'] = 'unreadable') {
    super(message);
    this.kind = kind;
  }
}

const PLAIN_NUMBER = /^\d{1,9}$/;

/**
 * Parses a number in common notations: '18,732', '18.732,50', '1 234 567',
 * "1'200", '24.5k'. With one kind of separator, three digits after it mean
 * thousands ('18.732' is 18732), other counts a fraction ('18.73').
 * Undefined for anything else.
 */
export function parseNumber(text: string): number | undefined {
  if (PLAIN_NUMBER.test(text)) return Number(text);
  const compact = text.replace(GROUP_SIGNS, '');
  // As spreadsheets write long numbers.
  if (/^\d(?:\.\d+)?e\+?\d{1,2}$/i.test(compact)) return Number(compact);
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

/** Signs and codes of currencies. A bare dollar sign is one of the column's currency. */
const CURRENCIES: readonly (readonly [sign: RegExp, code: string | undefined])[] = [
  [/US ?\$|\bUSD\b/i, 'USD'],
  [/C(?:A|DN)? ?\$|\bCAD\b/i, 'CAD'],
  [/MX ?\$|\bMXN\b/i, 'MXN'],
  [/A(?:U)? ?\$|\bAUD\b/i, 'AUD'],
  [/€|\bEUR\b/i, 'EUR'],
  [/£|\bGBP\b/i, 'GBP'],
  [/\bCHF\b/i, 'CHF'],
  [/¥|\bJPY\b/i, 'JPY'],
  [/\$/, undefined],
];

/** The currency of an amount and of its column. */
export interface Money {
  /** ISO 4217; US dollars by default. */
  readonly currency?: string | undefined;
  /** US dollars of one unit of other currencies. */
  readonly rates?: Readonly<Record<string, number>>;
}

const LOWEST_PRICE = 100;
const HIGHEST_PRICE = 10_000_000;
/** Typed to get past a required field; 123,456 and 99,999 are prices too. */
const FILLER_AMOUNT = /^(?:9{6,}|1{6,}|1234567|12345678)$/;
const PLAIN_PRICE = /^\$?\d{1,3}(?:,?\d{3})*$/;
/** What may follow an amount without changing it. */
const AFTER_PRICE = /\s*(?:\bobo\b|\bo\.b\.o\.?|\bfirm\b|(?:\bplus\b|\+)\s*(?:tax|ttl|fees|doc)\b.*|\*+)$/i;
const NO_PRICE =
  /\b(?:call|contact|request|inquire|enquire|ask|offers?|e-?mail|text|poa|see dealer|dealer for|negotiable|auction|market|included|tb[ad]|click|get|view|unlock|login|price)\b|^(?:n\/?a|null|none|-+)$/i;

function amountOf(text: string, { currency = 'USD', rates = {} }: Money): number {
  const sign = CURRENCIES.find(([pattern]) => pattern.test(text));
  const code = sign?.[1] ?? currency;
  const bare = (sign ? text.replace(sign[0], '') : text).replace(AFTER_PRICE, '').trim();
  const value = parseNumber(bare);
  if (value === undefined) throw new UnreadableValue(`price '${text}' is not an amount`);
  if (code === 'USD') return value;
  const rate = rates[code];
  if (rate === undefined) throw new UnreadableValue(`price '${text}' is in ${code}`, 'currency');
  return value * rate;
}

/** Whole US dollars; undefined for no price (empty, zero, 'Call', 'Price on request'). */
export function parsePrice(text: string, money: Money = {}): number | undefined {
  const isPlain = money.currency === undefined && PLAIN_PRICE.test(text);
  if (!isPlain && (!/\d/.test(text) ? text.trim() === '' || NO_PRICE.test(text) : /\bcall\b/i.test(text)))
    return undefined;
  const value = isPlain ? Number(text.replace(/[$,]/g, '')) : amountOf(text, money);
  if (value === 0) return undefined;
  if (value < 0 || value > HIGHEST_PRICE)
    throw new UnreadableValue(`price '${text}' is out of range`, 'implausible');
  const price = Math.round(value);
  if (price < LOWEST_PRICE || FILLER_AMOUNT.test(String(price)))
    throw new UnreadableValue(`price '${text}' is no price of a car`, 'implausible');
  return price;
}

const HIGHEST_MILEAGE = 2_000_000;
/** Title statements of odometers that count no more (49 CFR 580), and words of dealers. */
const NO_MILEAGE =
  /^(?:exempt.*|not actual.*|actual mileage unknown|tmu|true mileage unknown|exceeds.*|no odometer.*|odometer.*|mileage unknown|call.*|contact.*|n\/?a|null|none|tb[ad]|-+)$/i;

/** Whole miles; a unit in the text takes precedence over the feed's unit. */
export function parseMileage(text: string, unit: 'mi' | 'km'): number | undefined {
  const [, amount = '', ownUnit = ''] =
    /^(.*?)\s*(mi\.?|miles?|km|kms|kilomet(?:er|re)s?)?$/i.exec(text.trim()) ?? [];
  if (amount === '' || NO_MILEAGE.test(text)) return undefined;
  const value = parseNumber(amount);
  if (value === undefined) throw new UnreadableValue(`mileage '${text}' is not a number`);
  const isKilometers = ownUnit ? /^k/i.test(ownUnit) : unit === 'km';
  const miles = Math.round(value * (isKilometers ? MILES_PER_KILOMETER : 1));
  if (miles < 0 || miles > HIGHEST_MILEAGE || FILLER_AMOUNT.test(String(miles)))
    throw new UnreadableValue(`mileage '${text}' is out of range`, 'implausible');
  return miles;
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
