import type { FilterParam, FilterValues } from '../search/criteria.ts';
import { singleValue } from '../search/filterValues.ts';

/** Filters of which a single value says that the shopper looks for something narrower than the model (B5-RATING-04). */
const NARROWING: readonly FilterParam[] = ['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'];

/** The one model year of a search; undefined for an open or wider range (AMB-158). */
export function singleYear(filters: FilterValues): string | undefined {
  const start = singleValue({ filters }, 'startYear');
  return start !== undefined && start === singleValue({ filters }, 'endYear') ? start : undefined;
}

/**
 * Are consumer ratings looked up for this search? Only for one make, model and
 * year without a trim, and only while nothing says that the shopper is after
 * something the ratings are not about (B5-RATING-01..06).
 */
export function asksForRatings(filters: FilterValues): boolean {
  const isOneModelOfAYear =
    singleValue({ filters }, 'makeCode') !== undefined &&
    singleValue({ filters }, 'modelCode') !== undefined &&
    singleYear(filters) !== undefined &&
    !filters.trimCode?.length;
  const isNewOrCertified = filters.listingType?.some((type) => type === 'NEW' || type === 'CERTIFIED');
  const isPrivate = filters.sellerType?.includes('p');
  const hasOneBound = !filters.minPrice?.length !== !filters.maxPrice?.length;
  return (
    isOneModelOfAYear &&
    !isNewOrCertified &&
    !isPrivate &&
    !NARROWING.some((param) => singleValue({ filters }, param) !== undefined) &&
    !hasOneBound &&
    !filters.mpgRange?.length
  );
}
