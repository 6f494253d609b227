import type { Listing } from '@forecourt/upstream/entities';

/** Where on the page the shopper opened a vehicle (AMB-055). */
type ClickType =
  | 'listing'
  | 'spotlight'
  | 'alpha'
  | 'boost'
  | 'highlight'
  | 'similar'
  | 'supplemental'
  | 'nearby'
  | 'compare'
  | 'alert';

/**
 * Link to a vehicle's page: its vdpBaseUrl (by default, the common path) with the click type.
 */
export function detailUrl(listing: Pick<Listing, 'id' | 'vdpBaseUrl'>, clickType: ClickType): string {
  const url = listing.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`;
  const [base = '', ...hash] = url.split('#');
  const query = `${base.includes('?') ? '&' : '?'}clickType=${clickType}`;
  return [base + query, ...hash].join('#');
}
