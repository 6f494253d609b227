import {
  type FilterParam,
  type FilterValues,
  singleValue,
  singleYear,
} from '@forecourt/shared-contracts/criteria';
/** Filters of which a single value says that the shopper looks for something narrower than the model (B5-RATING-04). */
const NARROWING: readonly FilterParam[] = ['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'];

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
