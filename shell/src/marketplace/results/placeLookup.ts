import { createLruCache } from '@forecourt/service-kit/lruCache';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { CallContext, Gateway } from '../../engine/gateway/gateway.ts';

export interface Place {
  readonly city: string;
  readonly state: string;
}

/** City and state of a ZIP; undefined if the ZIP is unknown or the lookup fails. */
export type PlaceLookup = (
  zip: string,
  context: CallContext,
  gateway?: Pick<Gateway, 'call'>,
) => Promise<Place | undefined>;

/**
 * Looks up places and caches them without expiry. Unknown ZIPs are not cached,
 * because an unavailable upstream gives the same result.
 */
export function createPlaceLookup(
  defaultGateway: Pick<Gateway, 'call'>,
  { maxPlaces = 5_000 } = {},
): PlaceLookup {
  const places = createLruCache<Place>({ maxEntries: maxPlaces });
  return async (zip, context, gateway = defaultGateway) => {
    const cached = places.get(zip);
    if (cached) return cached;
    const lookup: CallResponses['zipLookup'] = await gateway.call('zipLookup', { zip }, context);
    if (!lookup.success) return undefined;
    const place = { city: lookup.city, state: lookup.state };
    places.set(zip, place);
    return place;
  };
}
