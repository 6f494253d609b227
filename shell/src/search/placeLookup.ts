import type { CallContext, Gateway } from '../gateway/gateway.ts';
import type { ZipLookup } from '../gateway/callTypes.ts';

/** City and state of a ZIP; undefined when there is none or nobody knows. */
export type PlaceLookup = (
  zip: string,
  context: CallContext,
) => Promise<{ city: string; state: string } | undefined>;

/**
 * Asks for the place of a ZIP and remembers it: places do not move. An unknown
 * ZIP is asked for again, as an upstream in trouble answers the same.
 */
export function createPlaceLookup(gateway: Gateway, { maxPlaces = 5_000 } = {}): PlaceLookup {
  const places = new Map<string, { city: string; state: string }>();
  return async (zip, context) => {
    const known = places.get(zip);
    if (known) return known;
    const answer: ZipLookup = await gateway.call('zipLookup', { zip }, context);
    if (!answer.success) return undefined;
    const place = { city: answer.city, state: answer.state };
    const [oldest] = places.keys();
    if (places.size >= maxPlaces && oldest !== undefined) places.delete(oldest);
    places.set(zip, place);
    return place;
  };
}
