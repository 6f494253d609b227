import type { Listing } from '@forecourt/upstream/entities';
import { formatDollars } from '../format/format.ts';

type Pricing = Pick<Listing['pricingDetail'], 'incentive' | 'salePrice' | 'msrp'>;

/** The price of a listing: incentive, otherwise sale price, otherwise MSRP. USD. */
export const derivedPrice = (pricing: Pricing): number | undefined =>
  pricing.incentive ?? pricing.salePrice ?? pricing.msrp;

/** A listing's price: '$32,995', or 'Call for price' without one (AMB-037). */
export const formatPrice = (derivedPrice: number | undefined): string =>
  derivedPrice === undefined ? 'Call for price' : formatDollars(derivedPrice);
