import { BRANDS, type BrandCode } from '@forecourt/search/brands';
import { formatNumber } from '@forecourt/search/format';
import { viewedListingsStorage } from '@forecourt/search/storage';
import type { Call } from '@forecourt/slots';
import { storedValue, storedIds, storedFlag } from '@forecourt/slots/storage';
import { VIEW_COUNT_DAYS } from '@forecourt/upstream/agreements';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing } from '@forecourt/upstream/entities';
import {
  STILL_INTERESTED_REMEMBERED,
  BROWSING_HISTORY_REFETCH_MS,
  STILL_INTERESTED_VEHICLES,
  STILL_INTERESTED_VIEWS_OVER,
  FIXED_AD_SIZES,
  STILL_INTERESTED_BOTTOMS,
} from '../constants.ts';
import { isGoodPriceDeal } from '../listing/price.ts';

type BrowsingHistory = CallResponses['browsingHistory'];

export type ViewedVehicle = BrowsingHistory['vehicles'][number];

/**
 * Whether the history may be fetched again; times in ms, `last` undefined before the first fetch
 *.
 */
export const isFetchDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= BROWSING_HISTORY_REFETCH_MS;

/**
 * Candidates for the alert: of the last ten viewed vehicles, those neither opened in this session nor
 * dismissed.
 */
export function alertCandidates(
  vehicles: readonly ViewedVehicle[],
  { viewed, dismissed }: { readonly viewed: readonly string[]; readonly dismissed: readonly string[] },
): readonly ViewedVehicle[] {
  const excludedIds = new Set([...viewed, ...dismissed]);
  return [...vehicles]
    .sort((one, other) => other.viewedAt - one.viewedAt)
    .slice(0, STILL_INTERESTED_VEHICLES)
    .filter(({ listingId }) => !excludedIds.has(listingId));
}

export type Reason = 'reducedPrice' | 'viewers' | 'deal' | 'interested';

type AlertListing = Pick<Listing, 'isReducedPrice' | 'pricingDetail'>;

/** The first reason that applies; `views` are those of the last 7 days. */
export function reasonFor({ isReducedPrice, pricingDetail }: AlertListing, views: number): Reason {
  if (isReducedPrice) return 'reducedPrice';
  if (views > STILL_INTERESTED_VIEWS_OVER) return 'viewers';
  return isGoodPriceDeal(pricingDetail.dealIndicator) ? 'deal' : 'interested';
}

export function reasonText(reason: Reason, { pricingDetail }: AlertListing, views: number): string {
  switch (reason) {
    case 'reducedPrice':
      return 'Its price was reduced';
    case 'viewers':
      return `${formatNumber(views)} people looked at it in the last 7 days`;
    case 'deal':
      return `${pricingDetail.dealIndicator} price for this vehicle`;
    case 'interested':
      return 'It is still for sale';
  }
}

/** px between the viewport's bottom and the alert, above a fixed ad of `adHeight` px. */
export function alertBottom(adHeight: number): number {
  if (adHeight === 0) return STILL_INTERESTED_BOTTOMS.noAd;
  return adHeight <= FIXED_AD_SIZES.small[1] ? STILL_INTERESTED_BOTTOMS.smallAd : STILL_INTERESTED_BOTTOMS.ad;
}

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
  const history = raw as Partial<FetchedHistory> | null | undefined;
  if (typeof history?.at !== 'number' || !Array.isArray(history.vehicles)) return undefined;
  return { at: history.at, vehicles: history.vehicles.filter(isVehicle) };
}

const fetchedHistory = storedValue('session', 'browsingHistory', parseHistory);

/** Vehicles whose alert was dismissed, newest first. */
export const dismissedListings = storedIds('local', 'stillInterestedDismissed', STILL_INTERESTED_REMEMBERED);

/** The wallet notification was closed or followed in this session. */
export const notificationDone = storedFlag('session', 'walletNotificationDone');

/** A vehicle that may still interest the visitor, and why. */
export interface InterestingVehicle {
  readonly listing: Listing;
  readonly reason: Reason;
  /** Views of the last 7 days on both sites; 0 when the reason doesn't need them. */
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
  const storedHistory = fetchedHistory.read();
  if (storedHistory && !isFetchDue(storedHistory.at, now)) return Promise.resolve(storedHistory);
  const fetchHistory = async (): Promise<FetchedHistory> => {
    let newHistory: FetchedHistory = { at: now, vehicles: storedHistory?.vehicles ?? [] };
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
 * dismissed. Rejects when a call fails.
 */
export async function findInterestingVehicle(search: AlertSearch): Promise<InterestingVehicle | undefined> {
  const { vehicles } = await history(search);
  search.signal.throwIfAborted();
  const candidates = alertCandidates(vehicles, {
    viewed: viewedListingsStorage.read(),
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
  const listingsByVin = new Map(listings.map((listing) => [listing.vin, listing]));
  const listing = candidates
    .map(({ vin }) => listingsByVin.get(vin))
    .find((candidate) => candidate !== undefined);
  if (!listing) return undefined;
  const views = listing.isReducedPrice ? 0 : await viewsOf(listing.vin, search);
  return { listing, reason: reasonFor(listing, views), views };
}
