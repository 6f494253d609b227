import type { Listing } from '@forecourt/shared-contracts/entities';
import type { StockListing } from '../domain/stock.ts';
import { derivedPrice } from '../index/facets.ts';

/** Days for which a reduction or a first day on the market is news. */
const REDUCED_RECENTLY_DAYS = 14;
const NEW_LISTING_DAYS = 3;
/** Views of a week from which interest is high. */
const HIGH_INTEREST_VIEWS = 100;

/** Why to hurry (AMB-035): a recent price drop in dollars, views, or days listed; undefined without a reason. */
export function urgencyOf(stock: StockListing, today: number): Listing['vehicleHighlight'] {
  const price = derivedPrice(stock);
  const { previousPrice, reducedOn, viewCount, listedOn } = stock;
  const isRecent = reducedOn !== undefined && today - reducedOn <= REDUCED_RECENTLY_DAYS;
  const highlight = (urgencyDriverType: string, urgencyDriverValue: number) => ({
    isVehicleHighlight: true,
    urgencyDriverType,
    urgencyDriverValue,
  });
  if (isRecent && price !== undefined && previousPrice !== undefined && previousPrice > price)
    return highlight('PRICE_DROP', previousPrice - price);
  if (viewCount >= HIGH_INTEREST_VIEWS) return highlight('HIGH_INTEREST', viewCount);
  if (today - listedOn <= NEW_LISTING_DAYS) return highlight('NEW_LISTING', Math.max(0, today - listedOn));
  return undefined;
}
