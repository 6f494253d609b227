import type { FilterParam, SearchCriteria } from '@forecourt/search/criteria';

export type SortValue = SearchCriteria['sortBy'];

/** A sentence while it is read: what was understood so far, and the words that are left. */
export interface Reading {
  /** Words that are still unread, '|' where something was taken out: phrases don't join across it. */
  text: string;
  readonly filters: Map<FilterParam, string[]>;
  /** Number of typed words. */
  readonly wordCount: number;
  sortBy?: SortValue;
  /** Facts that no filter covers, such as 'not red' or '7000 lbs'. */
  readonly leftOut: string[];
  /** Parameters whose value was guessed from a misspelled word or a bare number. */
  readonly guessed: Set<FilterParam>;
}

export const startReading = (sentence: string): Reading => ({
  text: plainText(sentence),
  wordCount: sentence.split(/\s+/).filter(Boolean).length,
  filters: new Map(),
  leftOut: [],
  guessed: new Set(),
});

export function addValues({ filters }: Reading, param: FilterParam, values: readonly string[]): void {
  filters.set(param, [...new Set([...(filters.get(param) ?? []), ...values])]);
}

export const setValue = ({ filters }: Reading, param: FilterParam, value: number | string): void => {
  filters.set(param, [String(value)]);
};

/** Number words before a unit: 'fifteen grand'. 'One owner' and 'two door' stay. */
const NUMBERS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen twenty`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const NUMBER_WORD = [...NUMBERS, ...TENS].join('|');
const NUMBER_WORDS = new RegExp(
  `\\b(${NUMBER_WORD})(?:[ -](${NUMBER_WORD}))?(?=[ -](?:grand|thousand|k|hundred|miles?|mpg|years?|yrs?|dollars?|bucks)\\b)`,
  'g',
);
const numberNamed = (word: string) =>
  NUMBERS.includes(word) ? NUMBERS.indexOf(word) : (TENS.indexOf(word) + 2) * 10;

/** Spellings that mean the same, so that the rules know one. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/\b(ca|wo|do|does|did|is|are|was|have|has|should|would)(?:n'?t|n t)\b/g, '$1 not'],
  [/['"!?;()[\]*~]/g, ' '],
  [/&/g, ' and '],
  [
    /\b(less|more|older|newer|bigger|smaller|cheaper|fewer|lower|higher|greater|rather|other) then\b/g,
    '$1 than',
  ],
  [/\bmilage/g, 'mileage'],
  [/\bw\/o\b/g, 'without'],
  [/\bw\/ ?/g, 'with '],
];

/** Lower case without accents; digits without thousands separators, one kind of dash and of spaces. */
function plainText(sentence: string): string {
  let text = sentence
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[“”]/g, ' ')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[‐‑‒–—]/g, '-');
  for (const [pattern, spelling] of SAME) text = text.replace(pattern, spelling);
  return text
    .replace(/,|:|\.(?!\d)/g, ' | ')
    .replace(/\s+/g, ' ')
    .replace(NUMBER_WORDS, (_, first: string, second?: string) =>
      String(numberNamed(first) + (second === undefined ? 0 : numberNamed(second))),
    )
    .trim();
}

export type Rule = readonly [
  pattern: RegExp,
  /** False leaves the text as it is. */
  apply: (reading: Reading, match: readonly string[]) => boolean | void,
];

export const rule = (pattern: string, apply: Rule[1]): Rule => [
  new RegExp(String.raw`(?<![\w$.])(?:${pattern})(?![\w])`, 'g'),
  apply,
];

/** Takes the text out as a fact that no filter covers. */
export const leaveOut: Rule[1] = (reading, [text = '']) => {
  reading.leftOut.push(text.trim());
};

export function applyRules(reading: Reading, rules: readonly Rule[]): void {
  for (const [pattern, apply] of rules) {
    reading.text = reading.text.replace(pattern, (...args) => {
      const groups = args.slice(0, -2) as string[];
      return apply(reading, groups) === false ? groups[0]! : ' | ';
    });
  }
  reading.text = reading.text.replace(/\s+/g, ' ').trim();
}

export const AT_MOST =
  '(?:under|below|beneath|sub|less than|lower than|cheaper than|fewer than|up to|upto|max(?:imum)?(?: of)?|at most|no more than|no higher than|no greater than|not over|not above|not more than|nothing (?:over|above|more than)|(?:not|nothing) to exceed|capped at|within|<=?)';
export const AT_LEAST =
  '(?:over|above|more than|higher than|greater than|at least|min(?:imum)?(?: of)?|from|starting at|no less than|not less than|not under|not below|nothing (?:under|below|less than)|>=?)';
export const OR_LESS =
  '(?:or less|or under|or below|or cheaper|or lower|or so max|max(?:imum)?|tops|and under|and below|at most|cap|ceiling|limit)';
export const OR_MORE = '(?:or more|or above|or over|or better|min(?:imum)?|and up|and above|plus)';
export const ABOUT = '(?:around|about|roughly|approximately|approx|near|circa|close to)';

export const IS_THOUSANDS = /k|thousand|grand/;

/** An amount as it is typed: '20k', '5 hundred', '30 thousand miles'. */
export const numberOf = (text: string): number => {
  const digits = Number(/\d+(?:\.\d+)?/.exec(text)?.[0]);
  if (text.includes('hundred')) return digits * 100;
  return IS_THOUSANDS.test(text) ? digits * 1000 : digits;
};
