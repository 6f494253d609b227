import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import type { Owner } from '@forecourt/shared-contracts/entities';

/** A distance that is not known is behind all that are. */
const distanceOf = ({ distanceFromSearch = Infinity }: Owner) => distanceFromSearch;

/**
 * The sellers of a search in the brand's order: the certified program's nearest
 * first, then by name; other brands keep the order of the results (A6-BRAND-01,
 * AMB-118).
 */
export function orderOwners(owners: readonly Owner[], brand: BrandCode): readonly Owner[] {
  if (!BRANDS[brand].hasCertifiedProgram) return owners;
  return [...owners].sort((one, other) => {
    const [near, far] = [distanceOf(one), distanceOf(other)];
    return near === far ? one.name.localeCompare(other.name, 'en') : near < far ? -1 : 1;
  });
}
