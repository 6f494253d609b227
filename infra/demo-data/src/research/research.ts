import type { ResearchSource } from '@forecourt/marketplace-api/research';
import { consumerRatingsOf } from './consumerRatings.ts';
import { articlesAbout } from './expertReviews.ts';
import { safetyOf, specsOf } from './trimFacts.ts';
import { findVehicle, presentVehicle, vehiclesOf, type ReferenceVehicle } from './vehicles.ts';

const about =
  <Facts>(factsOf: (vehicle: ReferenceVehicle) => Facts) =>
  (vehicleId: string): Facts | undefined => {
    const vehicle = findVehicle(vehicleId);
    return vehicle && factsOf(vehicle);
  };

/** Facts about the catalog's vehicles, and invented reviews that are always the same. */
export const research: ResearchSource = {
  vehicles: (year, makeCode, modelCode) => vehiclesOf(year, makeCode, modelCode).map(presentVehicle),
  consumerRatings: about(consumerRatingsOf),
  safety: about(safetyOf),
  specs: about(specsOf),
  articles: articlesAbout,
};
