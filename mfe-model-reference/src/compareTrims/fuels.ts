import { FUEL_GROUPS, type FuelGroup } from '@forecourt/shared-contracts/entities/codes';
import type { Trim } from '@forecourt/shared-contracts/entities';
import type { FilterValues } from '@forecourt/shared-contracts/criteria';

/** Fuels of the trims, in the display order of all fuels (B5-FUEL-01). */
export const fuelsOf = (trims: readonly Trim[]): readonly FuelGroup[] =>
  (Object.keys(FUEL_GROUPS) as FuelGroup[]).filter((fuel) =>
    trims.some(({ fuelTypeGroup }) => fuelTypeGroup === fuel),
  );

/** Where the comparison's fuel filter begins: at the search's fuel if it has exactly one (B4-MR-08). */
export function defaultFuel(filters: FilterValues, trims: readonly Trim[]): FuelGroup | undefined {
  const [only, ...others] = filters.fuelTypeGroup ?? [];
  return others.length === 0 ? fuelsOf(trims).find((fuel) => fuel === only) : undefined;
}
