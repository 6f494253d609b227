import { SEARCH_RADIUS_OPTIONS, type FilterParam } from '@forecourt/search/criteria';

/** A sentence while it is read: what was understood so far, and the words that are left. */
export interface Reading {
  /** Words that are still unread, '|' where something was taken out: phrases don't join across it. */
  text: string;
  readonly filters: Map<FilterParam, string[]>;
}

export function addValues({ filters }: Reading, param: FilterParam, values: readonly string[]): void {
  filters.set(param, [...new Set([...(filters.get(param) ?? []), ...values])]);
}

const setValue = ({ filters }: Reading, param: FilterParam, value: number | string): void => {
  filters.set(param, [String(value)]);
};

/** Lower case without accents; digits without thousands separators, one kind of dash and of spaces. */
export const plainText = (sentence: string): string =>
  sentence
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/[“”"'’!?;()]/g, ' ')
    .replace(/,|\.(?!\d)/g, ' | ')
    .replace(/\s+/g, ' ')
    .trim();

const AT_MOST =
  '(?:under|below|beneath|less than|lower than|cheaper than|fewer than|up to|upto|max(?:imum)?(?: of)?|at most|no more than|not over|not more than|within|<=?)';
const AT_LEAST =
  '(?:over|above|more than|higher than|greater than|at least|min(?:imum)?(?: of)?|from|starting at|no less than|>=?)';
const OR_LESS = '(?:or less|or under|or below|or cheaper|or lower|max(?:imum)?|tops|and under|and below)';
const OR_MORE = '(?:or more|or above|or over|or better|min(?:imum)?|and up|and above|plus)';
const ABOUT = '(?:around|about|roughly|approximately|approx|near)';
const MONEY = String.raw`(\$? ?\d+(?:\.\d+)? ?(?:k\b|thousand\b|grand\b)?)(?: ?(?:dollars?|bucks|usd)\b)?`;
const MILES = String.raw`(\d+(?:\.\d+)? ?(?:k\b|thousand\b)?) ?(?:miles|mile|mi)\b`;
const YEAR = String.raw`((?:19[5-9]|20[0-4])\d)`;
/** Smaller amounts mean thousands: 'under 20'. */
const SMALLEST_PRICE = 200;
/** 'Around $20,000' allows this share more or less. */
const ABOUT_SHARE = 0.1;
/** 'Low mileage' in miles. */
const LOW_MILEAGE = 30_000;

const numberOf = (text: string): number => {
  const digits = Number(/\d+(?:\.\d+)?/.exec(text)?.[0]);
  return /k|thousand|grand/.test(text) ? digits * 1000 : digits;
};
/** Dollars: 'between 20 and 30k' means thousands twice. */
const priceOf = (text: string): number => {
  const amount = numberOf(text);
  return Math.round(amount < SMALLEST_PRICE && !text.includes('$') ? amount * 1000 : amount);
};

type Rule = readonly [pattern: RegExp, apply: (reading: Reading, match: RegExpExecArray) => boolean | void];
const rule = (pattern: string, apply: Rule[1]): Rule => [
  new RegExp(String.raw`(?<![\w$.])(?:${pattern})(?![\w])`, 'g'),
  apply,
];

/** The smallest offered radius that is at least as large. */
const radiusFor = (miles: number): number =>
  SEARCH_RADIUS_OPTIONS.find((option) => option >= miles) ?? Math.max(...SEARCH_RADIUS_OPTIONS);

const YEARS: readonly Rule[] = [
  rule(`(?:between|from)? ?${YEAR} ?(?:-|to|and|through|thru|until) ?${YEAR}`, (reading, [, a, b]) => {
    setValue(reading, 'startYear', Math.min(Number(a), Number(b)));
    setValue(reading, 'endYear', Math.max(Number(a), Number(b)));
  }),
  rule(
    String.raw`${YEAR} ?(?:\+(?!\w)|(?:or|and) (?:newer|later|up|above|after|more recent))`,
    (reading, [, a]) => setValue(reading, 'startYear', a!),
  ),
  rule(`${YEAR} (?:or|and) (?:older|earlier|before|below)`, (reading, [, a]) =>
    setValue(reading, 'endYear', a!),
  ),
  rule(`(?:newer than|later than|after) (?:a )?${YEAR}`, (reading, [, a]) =>
    setValue(reading, 'startYear', Number(a) + 1),
  ),
  rule(`(?:since|from|at least|starting) (?:a )?${YEAR}`, (reading, [, a]) =>
    setValue(reading, 'startYear', a!),
  ),
  rule(`(?:older than|earlier than|before) (?:a )?${YEAR}`, (reading, [, a]) =>
    setValue(reading, 'endYear', Number(a) - 1),
  ),
  rule(`(?:up to|until) ${YEAR}`, (reading, [, a]) => setValue(reading, 'endYear', a!)),
];

const ONE_YEAR = rule(`(?:year )?${YEAR}(?: model(?: year)?)?`, (reading, [, a]) => {
  if (reading.filters.has('startYear') || reading.filters.has('endYear')) return false;
  setValue(reading, 'startYear', a!);
  setValue(reading, 'endYear', a!);
  return true;
});

/** 'Less than 5 years old'. */
const ageRule = (currentYear: number): Rule =>
  rule(String.raw`(?:${AT_MOST}|last|past|newer than) (\d{1,2}) (?:years?|yrs?)(?: old)?`, (reading, [, a]) =>
    setValue(reading, 'startYear', currentYear - Number(a)),
  );

const DISTANCES: readonly Rule[] = [
  rule(
    String.raw`(?:within|in|inside) (?:a )?(\d{1,3}) ?-? ?(?:miles?|mi)(?: radius)?(?: (?:of|from|around) me)?(?= (?:of|from|around|near)\b| ?$| \|)`,
    (reading, [, a]) => setValue(reading, 'searchRadius', radiusFor(Number(a))),
  ),
  rule(String.raw`(\d{1,3}) ?-? ?(?:miles?|mi)(?: radius)? (?:of|from|around)`, (reading, [, a]) =>
    setValue(reading, 'searchRadius', radiusFor(Number(a))),
  ),
  rule('nationwide|any distance|anywhere', (reading) => setValue(reading, 'searchRadius', 0)),
];

const ECONOMY: readonly Rule[] = [
  rule(String.raw`(?:${AT_LEAST} )?(\d{2,3}) ?\+? ?mpg(?: ${OR_MORE})?`, (reading, [, a]) =>
    setValue(reading, 'mpgRange', `${a}-MPG`),
  ),
  rule(
    String.raw`(?:with )?(?:${AT_LEAST} )?(\d{2,3}) ?\+? ?-?(?:miles?|mi) (?:of )?(?:electric )?range`,
    (reading, [, a]) => setValue(reading, 'electricMileRange', a!),
  ),
  rule(
    String.raw`(?:electric )?range (?:of )?(?:${AT_LEAST} )?(\d{2,3}) ?(?:\+|(?:miles?|mi))?`,
    (reading, [, a]) => setValue(reading, 'electricMileRange', a!),
  ),
];

const MILEAGES: readonly Rule[] = [
  rule(`(?:with )?(?:${AT_MOST} )?${MILES}(?: ${OR_LESS})?`, (reading, [, a]) =>
    setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(String.raw`(?:mileage|miles) ${AT_MOST} (\d+(?:\.\d+)? ?(?:k\b|thousand\b)?)`, (reading, [, a]) =>
    setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule('(?:with )?low(?:er)? (?:mileage|miles)', (reading) => setValue(reading, 'mileage', LOW_MILEAGE)),
];

const setRange = (reading: Reading, low: string, high: string): void => {
  const isThousands = /k|thousand|grand/.test(high) && !/k|thousand|grand|\$/.test(low);
  const bounds = [priceOf(isThousands ? `${numberOf(low)}k` : low), priceOf(high)];
  setValue(reading, 'minPrice', Math.min(...bounds));
  setValue(reading, 'maxPrice', Math.max(...bounds));
};

const PRICE_WORD = '(?:priced? |costs? |costing |budget (?:of |is )?|for )?';
const PRICES: readonly Rule[] = [
  rule(`${PRICE_WORD}between ${MONEY} (?:and|to|-) ${MONEY}`, (reading, [, a, b]) =>
    setRange(reading, a!, b!),
  ),
  rule(`${PRICE_WORD}(?:from )?${MONEY} ?(?:-|to) ?${MONEY}`, (reading, [text, a, b]) => {
    if (!/\$|k\b|thousand|grand|dollar|bucks|usd/.test(text)) return false;
    setRange(reading, a!, b!);
    return true;
  }),
  rule(`${PRICE_WORD}${AT_MOST} ${MONEY}`, (reading, [, a]) => setValue(reading, 'maxPrice', priceOf(a!))),
  rule(`${PRICE_WORD}${AT_LEAST} ${MONEY}`, (reading, [, a]) => setValue(reading, 'minPrice', priceOf(a!))),
  rule(`${MONEY} ${OR_LESS}`, (reading, [, a]) => setValue(reading, 'maxPrice', priceOf(a!))),
  rule(String.raw`${MONEY} ?(?:${OR_MORE}|\+)`, (reading, [, a]) =>
    setValue(reading, 'minPrice', priceOf(a!)),
  ),
  rule(`${PRICE_WORD}${ABOUT} ${MONEY}`, (reading, [text, a]) => {
    if (!/\$|k\b|thousand|grand|dollar|bucks|usd/.test(text)) return false;
    const price = priceOf(a!);
    setValue(reading, 'minPrice', Math.round(price * (1 - ABOUT_SHARE)));
    setValue(reading, 'maxPrice', Math.round(price * (1 + ABOUT_SHARE)));
    return true;
  }),
  rule(`${PRICE_WORD}${MONEY}`, (reading, [text, a]) => {
    if (!/\$|\dk\b|\d k\b|thousand|grand|dollar|bucks|usd|budget/.test(text)) return false;
    setValue(reading, 'maxPrice', priceOf(a!));
    return true;
  }),
];

function applyRules(reading: Reading, rules: readonly Rule[]): void {
  for (const [pattern, apply] of rules) {
    reading.text = reading.text.replace(pattern, (...args) => {
      const groups = args.slice(0, -2) as unknown as RegExpExecArray;
      return apply(reading, groups) === false ? groups[0] : ' | ';
    });
  }
  reading.text = reading.text.replace(/\s+/g, ' ').trim();
}

/** Takes years, fuel economy, distances, mileages and prices out of the sentence, in the order that tells them apart. */
export function readAmounts(reading: Reading, currentYear: number): void {
  applyRules(reading, [ageRule(currentYear), ...YEARS, ...ECONOMY, ...DISTANCES, ...MILEAGES, ...PRICES]);
}

/** Takes out a single year, after models such as the 2008 were found. */
export const readYear = (reading: Reading): void => applyRules(reading, [ONE_YEAR]);
