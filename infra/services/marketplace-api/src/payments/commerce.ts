import type { Listing } from '@forecourt/shared-contracts/entities';
import { type StockListing, type StockOwner, derivedPrice } from '../domain/stock.ts';

/** Nothing dearer and nothing with more miles is sold without being seen. */
const ECOMMERCE_LIMITS = { price: 150_000, mileage: 120_000 } as const;

const addressed = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/**
 * How a listing's payments are worked out (A3-LISTING-14, A3-LISTING-15). The
 * addresses are amended by the page (AMB-111). Only dealers let the whole
 * purchase be made online; a listing without a price has no payments.
 */
export function paymentServicesOf(stock: StockListing, owner: StockOwner): Listing['paymentServices'] {
  const price = derivedPrice(stock);
  if (price === undefined) return undefined;
  const isOnline = owner.sellerType === 'd' && owner.homeServices.includes('BUY_ONLINE');
  return {
    digitalRetailingType: isOnline ? 'FULL' : 'NONE',
    dealerSettings: { leaseEnabled: owner.leases === true && stock.listingType === 'NEW' },
    uiEnabled: isOnline,
    paymentCalculationUrl: addressed('/payments/calculate', { listingId: stock.id, price }),
    incentivesUrl: addressed('/payments/incentives', { listingId: stock.id }),
  };
}

/** May this vehicle be bought in its dealer's online shop (AMB-117)? */
export function isEcommerceEligible(stock: StockListing, owner: StockOwner): boolean {
  const price = derivedPrice(stock);
  return (
    owner.ecommerce !== undefined &&
    price !== undefined &&
    price <= ECOMMERCE_LIMITS.price &&
    stock.mileage !== undefined &&
    stock.mileage <= ECOMMERCE_LIMITS.mileage
  );
}

/** The online-commerce program's fields (B3-LISTING-17); whether the vehicle is eligible is asked when it is shown. */
export function esntialOf(stock: StockListing, owner: StockOwner): Listing['esntial'] {
  if (!owner.ecommerce || !owner.website) return undefined;
  return {
    eligibilityService: `/cars-for-sale/svc/esntial-eligibility?listingId=${encodeURIComponent(stock.id)}`,
    ecommWebsite: `${owner.website}/buy/${stock.vin}`,
    deemphasized: owner.ecommerce === 'deemphasized',
  };
}
