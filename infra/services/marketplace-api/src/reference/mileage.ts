import type { MileageStats as Answer } from '@forecourt/shared-contracts/entities';
import { MILEAGE_STATS_BELOW } from '@forecourt/shared-contracts/rules';
import { type FilterValues, decodeQuery } from '@forecourt/shared-contracts/criteria';
import type { ListingIndex, MileageStats } from '../index/listingIndex.ts';
import type { PlaceFinder } from '../search/places.ts';
import { toListingQuery } from '../search/request.ts';

const spreadOf = (stats: MileageStats | undefined): Answer['stats'] =>
  stats && {
    count: stats.count,
    mileageMin: stats.min,
    mileageMax: stats.max,
    mileageMean: stats.mean,
    mileagePerYearMean: stats.perYearMean,
    minYear: stats.minYear,
    maxYear: stats.maxYear,
  };

/**
 * Mileages of a model's listings by model year, beside those of all cars of
 * the same condition (A7-MILE-01, A5-RULE-10). Without a model, of all cars.
 */
export function mileageStatsAnswer(
  params: URLSearchParams,
  { index, places }: { index: ListingIndex; places: PlaceFinder },
): Answer {
  const { makeCode, modelCode, trimCode, listingType } = decodeQuery(params).filters;
  const of = (filters: FilterValues) =>
    index.mileageStats(toListingQuery(filters, places), MILEAGE_STATS_BELOW);
  const stats = of({ makeCode, modelCode, trimCode, listingType });
  return {
    stats: spreadOf(stats),
    allCars: spreadOf(of({ listingType })),
    facetStats: (stats?.years ?? []).map(({ year, count, min, max, mean }) => ({
      name: String(year),
      count,
      mileageMin: min,
      mileageMax: max,
      mileageMean: mean,
    })),
  };
}
