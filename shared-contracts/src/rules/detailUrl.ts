import type { Listing } from '../entities/listing.ts';

/** Where on the page the shopper opened a vehicle (AMB-055). */
export const CLICK_TYPES = [
  'listing',
  'spotlight',
  'alpha',
  'boost',
  'highlight',
  'similar',
  'supplemental',
  'nearby',
  'compare',
  'alert',
] as const;
export type ClickType = (typeof CLICK_TYPES)[number];

/**
 * Link to a vehicle's own page: its vdpBaseUrl and the click type
 * (B2-ROUTE-03, B2-ROUTE-04). Without a base the common path serves (AMB-055).
 */
export function detailUrl(listing: Pick<Listing, 'id' | 'vdpBaseUrl'>, clickType: ClickType): string {
  const url = listing.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`;
  const [base = '', ...hash] = url.split('#');
  const query = `${base.includes('?') ? '&' : '?'}clickType=${clickType}`;
  return [base + query, ...hash].join('#');
}
