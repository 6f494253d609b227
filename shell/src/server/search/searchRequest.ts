import type { CallResponses } from '@forecourt/shared-contracts/calls';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RequestContext } from '@forecourt/shared-contracts/query';
import type { SessionState } from '@forecourt/shared-contracts/store';
import type { CallContext, Gateway } from '../upstream/gateway.ts';
import type { AccountState } from './savedState.ts';
import type { SlugReferenceKeeper } from './slugReference.ts';
import { createLruCache } from '../bounds/lruCache.ts';

export interface Place {
  readonly city: string;
  readonly state: string;
}

/** City and state of a ZIP; undefined if the ZIP is unknown or the lookup fails. */
type PlaceLookup = (zip: string, context: CallContext) => Promise<Place | undefined>;

/**
 * Looks up places and caches them without expiry. Unknown ZIPs are not cached,
 * because an unavailable upstream gives the same result.
 */
export function createPlaceLookup(gateway: Gateway, { maxPlaces = 5_000 } = {}): PlaceLookup {
  const places = createLruCache<Place>({ maxEntries: maxPlaces });
  return async (zip, context) => {
    const cached = places.get(zip);
    if (cached) return cached;
    const lookup: CallResponses['zipLookup'] = await gateway.call('zipLookup', { zip }, context);
    if (!lookup.success) return undefined;
    const place = { city: lookup.city, state: lookup.state };
    places.set(zip, place);
    return place;
  };
}

/** A failure for operators to investigate. */
interface Report {
  /** Stable; the troubleshooting page lists it. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}
export type Reporter = (report: Report) => void;

export interface SearchLoader {
  readonly gateway: Gateway;
  readonly placeOf: PlaceLookup;
  readonly reference: Pick<SlugReferenceKeeper, 'current'>;
}

export interface SearchRequest {
  readonly criteria: SearchCriteria;
  readonly session: SessionState;
  /** Of a campaign; the brand's own otherwise (AMB-163, AMB-164). */
  readonly channel?: string | undefined;
  readonly pixallId?: string | undefined;
  /** Saved items of the signed-in visitor. */
  readonly account?: Promise<AccountState>;
  readonly context: CallContext;
  readonly report?: Reporter;
  /** Called when the page lacks something that comes later. */
  readonly onLate?: () => void;
}

export const requestContext = ({ session, channel, pixallId }: SearchRequest): RequestContext => ({
  brand: session.brand,
  ...(channel ? { channel } : {}),
  ...(pixallId ? { pixallId } : {}),
  ...(session.visitorZip ? { visitorZip: session.visitorZip } : {}),
});

/** Page number, from 1. */
export const pageOf = ({ firstRecord, numRecords }: SearchCriteria): number =>
  1 + Math.floor(firstRecord / numRecords);
