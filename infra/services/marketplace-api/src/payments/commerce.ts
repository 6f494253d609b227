import type { Listing } from '@forecourt/shared-contracts/entities';
import { type StockListing, type StockOwner, derivedPrice } from '../domain/stock.ts';

/** Maximums for buying a vehicle unseen. */
const ECOMMERCE_LIMITS = { price: 150_000, mileage: 120_000 } as const;

const addressed = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/**
 * Payment services of a listing (A3-LISTING-14, A3-LISTING-15). The page adds
 * parameters to the URLs (AMB-111). Only dealers sell entirely online; a listing
 * without a price has no payments.
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

/** Whether the vehicle can be bought in its dealer's online shop (AMB-117). */
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

/** Fields of the online-commerce program (B3-LISTING-17); the page checks eligibility when it shows the vehicle. */
export function esntialOf(stock: StockListing, owner: StockOwner): Listing['esntial'] {
  if (!owner.ecommerce || !owner.website) return undefined;
  return {
    eligibilityService: `/cars-for-sale/svc/esntial-eligibility?listingId=${encodeURIComponent(stock.id)}`,
    ecommWebsite: `${owner.website}/buy/${stock.vin}`,
    deemphasized: owner.ecommerce === 'deemphasized',
  };
}
