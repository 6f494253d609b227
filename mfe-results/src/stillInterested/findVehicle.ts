import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { VIEW_COUNT_DAYS } from '@forecourt/shared-contracts/rules';
import type { Call } from '@forecourt/shared-contracts/slots';
import { browserStorage } from '@forecourt/shared-contracts/store';
import { alertCandidates, isFetchDue, reasonFor, type Reason } from './alertRules.ts';
import { dismissedListings, fetchedHistory, type FetchedHistory } from './alertStorage.ts';

/** A vehicle that may still interest the visitor, and why. */
export interface InterestingVehicle {
  readonly listing: Listing;
  readonly reason: Reason;
  /** Views of the last 7 days on both sites; 0 when the reason doesn't need them (AMB-148). */
  readonly views: number;
}

interface AlertSearch {
  readonly call: Call;
  readonly brand: BrandCode;
  readonly signal: AbortSignal;
  /** The history request in flight. */
  readonly pendingHistory: { current: Promise<FetchedHistory> | undefined };
  /** ms since 1970. */
  readonly now: number;
}

/**
 * At most one call every two minutes, even after a failure. The request outlives an aborted search, so that
 * the next one can use it.
 */
function history({ call, brand, now, pendingHistory }: AlertSearch): Promise<FetchedHistory> {
  const stored = fetchedHistory.read();
  if (stored && !isFetchDue(stored.at, now)) return Promise.resolve(stored);
  const fetchHistory = async (): Promise<FetchedHistory> => {
    let newHistory: FetchedHistory = { at: now, vehicles: stored?.vehicles ?? [] };
    try {
      const { vehicles } = await call('browsingHistory', { brand });
      newHistory = { at: now, vehicles };
    } finally {
      fetchedHistory.write(newHistory);
      pendingHistory.current = undefined;
    }
    return newHistory;
  };
  return (pendingHistory.current ??= fetchHistory());
}

async function viewsOf(vin: string, { call, signal }: AlertSearch): Promise<number> {
  const counts = await call('listingViewCount', { vin, dateRange: String(VIEW_COUNT_DAYS) }, { signal });
  return counts.atcViewCount + counts.kbbViewCount;
}

/**
 * The first vehicle of the visitor's history that is still for sale, not opened in this session and not
 * dismissed (A1-ALERT-01, A4-FLOW-06, A4-FLOW-07). Rejects when a call fails.
 */
export async function findInterestingVehicle(search: AlertSearch): Promise<InterestingVehicle | undefined> {
  const { vehicles } = await history(search);
  search.signal.throwIfAborted();
  const candidates = alertCandidates(vehicles, {
    viewed: browserStorage.viewedListings.read(),
    dismissed: dismissedListings.read(),
  });
  if (candidates.length === 0) return undefined;
  const { listings } = await search.call(
    'listingsByVin',
    {
      collapseFilters: 'true',
      vin: candidates.map(({ vin }) => vin).join(','),
      channel: BRANDS[search.brand].channel,
    },
    { signal: search.signal },
  );
  const active = new Map(listings.map((listing) => [listing.vin, listing]));
  const listing = candidates.map(({ vin }) => active.get(vin)).find((candidate) => candidate !== undefined);
  if (!listing) return undefined;
  const views = listing.isReducedPrice ? 0 : await viewsOf(listing.vin, search);
  return { listing, reason: reasonFor(listing, views), views };
}
