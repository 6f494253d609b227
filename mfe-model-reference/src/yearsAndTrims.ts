import { YEAR_LIST_TRUNCATED_FROM, YEAR_LIST_MAX, TRIM_NAME_MAX } from './constants.ts';

/** Model years in the trim comparison (B9-TRIMS-03). */
export const compareTrimYears = (currentYear: number): readonly number[] => [currentYear, currentYear + 1];

/** Fewer than five entries stay unchanged; otherwise the eleven latest, descending (B5-LIST-01, AMB-025). */
export function truncateYears<Entry extends { readonly value: string }>(
  entries: readonly Entry[],
): readonly Entry[] {
  if (entries.length < YEAR_LIST_TRUNCATED_FROM) return entries;
  return [...entries].sort((a, b) => Number(b.value) - Number(a.value)).slice(0, YEAR_LIST_MAX);
}

/** A trim's name, truncated after 30 characters (B5-LIST-02, AMB-159). */
export const shortTrimName = (name: string): string =>
  name.length > TRIM_NAME_MAX ? `${name.slice(0, TRIM_NAME_MAX)}...` : name;
