import {
  NEW_CAR_YEARS_BACK,
  NEW_CAR_YEAR_OPTIONS,
  TRIM_NAME_MAX,
  YEAR_LIST_MAX,
  YEAR_LIST_TRUNCATED_FROM,
} from './constants.ts';

/**
 * Model years offered for new cars, newest first: the current year 2024 gives
 * 2025, 2024, 2023, 2022 (A5-RULE-08, A5-RULE-09, AMB-079). 'Any' stands before
 * them in the control. The clock is the caller's.
 */
export function newCarYears(currentYear: number): readonly number[] {
  const oldest = currentYear - NEW_CAR_YEARS_BACK;
  return Array.from(
    { length: NEW_CAR_YEAR_OPTIONS },
    (_, index) => oldest + NEW_CAR_YEAR_OPTIONS - 1 - index,
  );
}

/** Model years that the trim comparison looks at (B9-TRIMS-03). */
export const compareTrimYears = (currentYear: number): readonly number[] => [currentYear, currentYear + 1];

/** Fewer than five entries stay as given; more are the eleven highest, descending (B5-LIST-01, AMB-025). */
export function truncateYears<Entry extends { readonly value: string }>(
  entries: readonly Entry[],
): readonly Entry[] {
  if (entries.length < YEAR_LIST_TRUNCATED_FROM) return entries;
  return [...entries].sort((a, b) => Number(b.value) - Number(a.value)).slice(0, YEAR_LIST_MAX);
}

/** A trim's name, cut after 30 characters (B5-LIST-02, AMB-159). */
export const shortTrimName = (name: string): string =>
  name.length > TRIM_NAME_MAX ? `${name.slice(0, TRIM_NAME_MAX)}...` : name;

const two = (part: number) => String(part).padStart(2, '0');

/** A bookmark's time, 'yyyy/MM/d HH:mm:ss' in UTC: '2024/03/5 14:07:09' (A3-BOOKMARK-02, AMB-100). */
export const formatLastExecuted = (time: Date): string =>
  `${time.getUTCFullYear()}/${two(time.getUTCMonth() + 1)}/${time.getUTCDate()} ` +
  [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':');
