import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { VIEW_COUNT_DAYS } from '@forecourt/shared-contracts/rules';
import type { Call } from '@forecourt/shared-contracts/slots';
import { browserStorage } from '@forecourt/shared-contracts/store';
import { alertCandidates, isFetchDue, reasonFor, type Reason } from './alertRules.ts';
import { dismissedListings, fetchedHistory, type FetchedHistory } from './alertStorage.ts';

/** A vehicle to come back to, and why. */
export interface InterestingVehicle {
  readonly listing: Listing;
  readonly reason: Reason;
  /** Views of the last 7 days on both sites together; 0 where the reason needs none (AMB-148). */
  readonly views: number;
}

interface Search {
  readonly call: Call;
  readonly brand: BrandCode;
  readonly signal: AbortSignal;
  /** The history that is on its way, if it is. */
  readonly asked: { current: Promise<FetchedHistory> | undefined };
  /** ms since 1970. */
  readonly now: number;
}

/** At most one call in two minutes, also when it fails; a search that is given up waits for it no more, and the next one does. */
function history({ call, brand, now, asked }: Search): Promise<FetchedHistory> {
  const kept = fetchedHistory.read();
  if (kept && !isFetchDue(kept.at, now)) return Promise.resolve(kept);
  const ask = async (): Promise<FetchedHistory> => {
    let fetched: FetchedHistory = { at: now, vehicles: kept?.vehicles ?? [] };
    try {
      const { vehicles } = await call('browsingHistory', { brand });
      fetched = { at: now, vehicles };
    } finally {
      fetchedHistory.write(fetched);
      asked.current = undefined;
    }
    return fetched;
  };
  return (asked.current ??= ask());
}

async function viewsOf(vin: string, { call, signal }: Search): Promise<number> {
  const counts = await call('listingViewCount', { vin, dateRange: String(VIEW_COUNT_DAYS) }, { signal });
  return counts.atcViewCount + counts.kbbViewCount;
}

/**
 * The first vehicle of the visitor's history that is still for sale, neither
 * opened in this session nor dismissed (A1-ALERT-01, A4-FLOW-06, A4-FLOW-07).
 * Rejects when a call fails.
 */
export async function findInterestingVehicle(search: Search): Promise<InterestingVehicle | undefined> {
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
  const listing = candidates.map(({ vin }) => active.get(vin)).find((found) => found !== undefined);
  if (!listing) return undefined;
  const views = listing.isReducedPrice ? 0 : await viewsOf(listing.vin, search);
  return { listing, reason: reasonFor(listing, views), views };
}
