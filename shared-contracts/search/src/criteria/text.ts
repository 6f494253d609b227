/** Maximum length of a code or parameter name, and of free text. */
export const MAX_CODE_LENGTH = 64;
export const MAX_TEXT_LENGTH = 120;
/** Maximum number of values in a list; the rest is dropped. */
const MAX_VALUES = 100;

/**
 * C0, DEL and C1 controls, line separators and bidirectional overrides, which must not reach a page or a log.
 */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Cleans a URL value: removes controls and outer white space, makes it well-formed UTF-16, and truncates it
 * to `max` code units. Idempotent.
 */
export const cleanText = (raw: string, max: number): string =>
  raw.replace(CONTROLS, '').trim().slice(0, max).toWellFormed().trim();

export const hasControls = (raw: string): boolean => raw.search(CONTROLS) !== -1;

/** Merges comma-separated lists into one list: cleaned, without empty values and duplicates, in order. */
export function splitList(raw: readonly string[]): string[] {
  const values = new Set<string>();
  for (const text of raw)
    for (const part of text.split(',')) {
      const value = cleanText(part, MAX_CODE_LENGTH);
      if (value && values.size < MAX_VALUES) values.add(value);
    }
  return [...values];
}

/** Upper bound of whole numbers in a URL; larger ones are clamped. */
export const MAX_WHOLE_NUMBER = 999_999_999;

/** Parses a whole number without sign; undefined for anything else. */
export function wholeNumber(raw: string): number | undefined {
  const text = raw.trim();
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_WHOLE_NUMBER) : undefined;
}

/** The first value that `read` accepts. */
export function firstOf<Value>(
  raw: readonly string[],
  read: (text: string) => Value | undefined,
): Value | undefined {
  for (const text of raw) {
    const value = read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** USPS codes of the states, the District of Columbia and the territories with ZIP codes. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY ' +
    'NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'
  ).split(' '),
);

/** 'ga' → 'GA'; undefined for any other text. */
export function stateCode(raw: string): string | undefined {
  const code = raw.trim().toUpperCase();
  return STATES.has(code) ? code : undefined;
}
