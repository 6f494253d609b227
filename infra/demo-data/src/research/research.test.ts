import { describe, expect, it } from '@jest/globals';
import { msrpIn } from '@forecourt/marketplace-api/catalog';
import { catalog } from '../catalog/catalog.ts';
import { consumerRatingsOf } from './consumerRatings.ts';
import { safetyOf, specsOf } from './trimFacts.ts';
import { findVehicle, presentVehicle, vehiclesOf } from './vehicles.ts';
import { CALLS } from '@forecourt/upstream/calls';

describe('research on reference vehicles', () => {
  it('returns reference data consistent with the catalog for every vehicle', () => {
    let vehicleCount = 0;
    for (const model of catalog.models)
      for (const year of [model.firstYear, Math.min(model.lastYear, 2026)])
        for (const vehicle of vehiclesOf(Math.max(year, 2012), model.makeCode, model.code)) {
          vehicleCount++;
          expect(findVehicle(vehicle.id)).toEqual(vehicle);
          const response = CALLS.referenceVehicles.response.shape.items.element.parse(
            presentVehicle(vehicle),
          );
          expect(response.nationalMSRP).toBe(msrpIn(vehicle.variant, vehicle.year));
          expect(response.engineType === 'Electric').toBe(vehicle.variant.fuel === 'ELE');
          CALLS.specs.response.parse(specsOf(vehicle));
          CALLS.safety.response.parse(safetyOf(vehicle));
          const { reviews } = CALLS.consumerRatings.response.parse(consumerRatingsOf(vehicle));
          for (const { date } of reviews) expect(Number(date.slice(0, 4))).toBeLessThan(vehicle.year);
        }
    expect(vehicleCount).toBeGreaterThan(1000);
  });

  it('gives a more expensive trim at least the features of a cheaper one', () => {
    const rank = { 'Not Available': 0, Optional: 1, Standard: 2 };
    const leather = (trimCode: string) => {
      const trim = catalog.findModel('FORD', 'F150')!.trims.find(({ code }) => code === trimCode)!;
      const vehicle = vehiclesOf(2021, 'FORD', 'F150').find((one) => one.trim === trim)!;
      return rank[specsOf(vehicle).find(({ specId }) => specId === 561)!.value];
    };
    expect(leather('F150|XL')).toBeLessThan(leather('F150|Platinum'));
  });
});
