import type { FilterValues } from '../search/criteria.ts';
import { singleValue } from '../search/filterValues.ts';

/** The one model year of a search; undefined for an open or wider range (AMB-158). */
export function singleYear(filters: FilterValues): string | undefined {
  const start = singleValue({ filters }, 'startYear');
  return start !== undefined && start === singleValue({ filters }, 'endYear') ? start : undefined;
}
