import { storedValue, storedIds, storedFlag } from '@forecourt/shared-contracts/store';
import { STILL_INTERESTED_REMEMBERED } from '../constants.ts';
import type { ViewedVehicle } from './alertRules.ts';

/** The last fetched history; stored for the session, so that a reload within two minutes does not fetch it again. */
export interface FetchedHistory {
  /** ms since 1970. */
  readonly at: number;
  readonly vehicles: readonly ViewedVehicle[];
}

const isVehicle = (value: unknown): value is ViewedVehicle => {
  const vehicle = value as Partial<ViewedVehicle> | null;
  return (
    typeof vehicle?.listingId === 'string' &&
    typeof vehicle.vin === 'string' &&
    typeof vehicle.viewedAt === 'number'
  );
};

function parseHistory(raw: unknown): FetchedHistory | undefined {
  const stored = raw as Partial<FetchedHistory> | null | undefined;
  if (typeof stored?.at !== 'number' || !Array.isArray(stored.vehicles)) return undefined;
  return { at: stored.at, vehicles: stored.vehicles.filter(isVehicle) };
}

export const fetchedHistory = storedValue('session', 'browsingHistory', parseHistory);

/** Vehicles whose alert was dismissed, newest first (B4-ALERT-08, AMB-147). */
export const dismissedListings = storedIds('local', 'stillInterestedDismissed', STILL_INTERESTED_REMEMBERED);

/** The wallet notification was closed or followed in this session. */
export const notificationDone = storedFlag('session', 'walletNotificationDone');
