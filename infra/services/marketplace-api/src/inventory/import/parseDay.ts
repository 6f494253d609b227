const MS_PER_DAY = 86_400_000;
/** Spreadsheets count days from 1899-12-30. */
const SPREADSHEET_EPOCH = 25_569;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Day, month and year by the names of a pattern's groups. */
const PATTERNS: readonly RegExp[] = [
  // ISO 8601, also with slashes, points or nothing between.
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:\D|$)/,
  /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?:T?\d{4,6}.*)?$/,
  // American.
  /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4}|\d{2})(?:\D|$)/,
  // European with points.
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d{2})(?:\D|$)/,
  // Nov 21, 2026; Sat, November 21 2026.
  /^(?:[a-z]{3,9},?\s+)?(?<name>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})/i,
  // 21-Nov-2026; Sat, 21 Nov 2026 of RFC 5322.
  /^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2})[-\s](?<name>[a-z]{3,9})[-\s](?<year>\d{4}|\d{2})(?:\D|$)/i,
];

function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  // Date.UTC would take the year 1 for 1901.
  date.setUTCFullYear(year, month - 1, day);
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / MS_PER_DAY : undefined;
}

const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

/**
 * Days since 1970-01-01 UTC, from a date of ISO 8601, RFC 5322, America or Europe, seconds or milliseconds since 1970, or a
 * spreadsheet's day number.
 */
export function parseDay(text: string): number | undefined {
  const bare = text.trim();
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(bare)?.groups;
    if (!groups) continue;
    const { year = '', month, name = '', day } = groups;
    const number = month === undefined ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 : Number(month);
    return dayOf(fullYear(year), number, Number(day));
  }
  if (!/^\d{5}(?:\.\d+)?$|^\d{10}$|^\d{13}$/.test(bare)) return undefined;
  const number = Number(bare);
  if (number < 100_000) return Math.floor(number) - SPREADSHEET_EPOCH;
  return Math.floor((number * (number < 100_000_000_000 ? 1000 : 1)) / MS_PER_DAY);
}

/** Longest time for which a vehicle is listed, in days. */
const LONGEST_LISTING = 3_650;

/** Whether a vehicle may be listed since that day: not from tomorrow on, nor since the epoch of some database. */
export const isListingDay = (day: number, today: number): boolean =>
  day <= today + 1 && day > today - LONGEST_LISTING;
