import type { Listing } from '../entities/listing.ts';
type Pricing = Pick<Listing['pricingDetail'], 'incentive' | 'salePrice' | 'msrp'>;

/** The one price of a listing: incentive, else sale price, else MSRP (B5-MISS-05, AMB-037). USD. */
export const derivedPrice = (pricing: Pricing): number | undefined =>
  pricing.incentive ?? pricing.salePrice ?? pricing.msrp;

/** Great and Good are good-price deals (B3-LISTING-03). */
export const isGoodPriceDeal = (dealIndicator: string | undefined): boolean =>
  dealIndicator === 'Great' || dealIndicator === 'Good';
