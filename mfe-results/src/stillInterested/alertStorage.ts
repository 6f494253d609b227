import { storedValue, storedIds, storedFlag } from '@forecourt/shared-contracts/store';
import { STILL_INTERESTED_REMEMBERED } from '../constants.ts';
import type { SeenVehicle } from './alertRules.ts';

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

/** Vehicles for which the alert was dismissed, newest first (B4-ALERT-08, AMB-147). */
export const dismissedListings = storedIds('local', 'stillInterestedDismissed', STILL_INTERESTED_REMEMBERED);

/** The wallet's notification was closed or followed in this visit. */
export const notificationDone = storedFlag('session', 'walletNotificationDone');
