import { storedValue } from '@forecourt/shared-contracts/store';
import type { SeenVehicle } from './candidates.ts';

/** The last fetched history; kept for the session, so that a reload within two minutes asks nothing again. */
export interface FetchedHistory {
  /** ms since 1970. */
  readonly at: number;
  readonly vehicles: readonly SeenVehicle[];
}

const isVehicle = (value: unknown): value is SeenVehicle => {
  const vehicle = value as Partial<SeenVehicle> | null;
  return (
    typeof vehicle?.listingId === 'string' &&
    typeof vehicle.vin === 'string' &&
    typeof vehicle.viewedAt === 'number'
  );
};

function historyOf(raw: unknown): FetchedHistory | undefined {
  const stored = raw as Partial<FetchedHistory> | null | undefined;
  if (typeof stored?.at !== 'number' || !Array.isArray(stored.vehicles)) return undefined;
  return { at: stored.at, vehicles: stored.vehicles.filter(isVehicle) };
}

/** Undefined when nothing is kept, or nothing that can be read. */
export const fetchedHistory = storedValue('session', 'browsingHistory', historyOf);
