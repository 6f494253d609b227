import type { BrowsingHistory } from '@forecourt/shared-contracts/entities';
import { BROWSING_HISTORY_REFETCH_MS, STILL_INTERESTED_VEHICLES } from '../../constants.ts';

export type SeenVehicle = BrowsingHistory['vehicles'][number];

/** May the history be fetched again? Times in ms; `last` undefined = never fetched (A4-FLOW-06). */
export const isFetchDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= BROWSING_HISTORY_REFETCH_MS;

/**
 * Vehicles to come back to: of the ten that were looked at last, those not
 * opened in this session and not dismissed (B9-STILL-01, AMB-145, AMB-032).
 */
export function alertCandidates(
  vehicles: readonly SeenVehicle[],
  { viewed, dismissed }: { readonly viewed: readonly string[]; readonly dismissed: readonly string[] },
): readonly SeenVehicle[] {
  const left = new Set([...viewed, ...dismissed]);
  return [...vehicles]
    .sort((one, other) => other.viewedAt - one.viewedAt)
    .slice(0, STILL_INTERESTED_VEHICLES)
    .filter(({ listingId }) => !left.has(listingId));
}
