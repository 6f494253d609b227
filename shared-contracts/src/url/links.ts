import type { Listing } from '../entities/listing.ts';

/** Part of a search that a breadcrumb names (A2-CRUMB-01). */
type CrumbKey =
  | 'home'
  | 'page'
  | 'location'
  | 'owner'
  | 'condition'
  | 'style'
  | 'make'
  | 'model'
  | 'trim'
  | 'year'
  | 'price'
  | 'fuelType'
  | 'mpg'
  | 'electricRange';

/** One link of the breadcrumb trail (B3-CRUMB-01). */
export interface Crumb {
  readonly key: CrumbKey;
  readonly label: string;
  readonly href: string;
}

/** A crawlable link to a narrower search. */
export interface CrawlPath {
  readonly label: string;
  /** Normalized path and query. */
  readonly href: string;
}

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
 * Link to a vehicle's page: its vdpBaseUrl (by default, the common path) with the click type (B2-ROUTE-03,
 * B2-ROUTE-04, AMB-055).
 */
export function detailUrl(listing: Pick<Listing, 'id' | 'vdpBaseUrl'>, clickType: ClickType): string {
  const url = listing.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`;
  const [base = '', ...hash] = url.split('#');
  const query = `${base.includes('?') ? '&' : '?'}clickType=${clickType}`;
  return [base + query, ...hash].join('#');
}

/**
 * Link to sign in and return to `current`, the path and query of this page; `screen` opens the sign-up form
 * (A4-SAVE-08, A4-SAVE-09, AMB-054). The path is configured: `session.signInPath` (A2-ROUTE-07).
 */
export function signInLink(signInPath: string, current: string, screen?: 'signup'): string {
  const query = new URLSearchParams({ ...(screen ? { defaultScreen: screen } : {}), refUrl: current });
  return `${signInPath}?${query.toString()}`;
}
