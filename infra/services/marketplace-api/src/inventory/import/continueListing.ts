import type { StockListing } from '../../domain/stock.ts';

/** Most changes of a price that are stored; older ones are dropped, except the first price. */
const MAX_PRICES = 24;

/** The prices so far and a changed one; of several on one day, the last. */
function pricesOf(
  { salePrice: price }: StockListing,
  { salePrice: before, listedOn, prices }: StockListing,
  todayInDays: number,
): StockListing['prices'] {
  if (price === undefined || before === undefined || price === before) return prices;
  const earlier = (prices ?? [[listedOn, before] as const]).filter(
    ([day], index) => index === 0 || day < todayInDays,
  );
  const [first, ...rest] = earlier;
  return [...(first ? [first] : []), ...rest.slice(2 - MAX_PRICES), [todayInDays, price]];
}

/** Carries over what the feed does not contain: first day, views and price reductions. */
export function continueListing(
  listing: StockListing,
  earlier: StockListing,
  todayInDays: number,
): StockListing {
  const { listedOn, viewCount, salePrice: before } = earlier;
  const isReduced = before !== undefined && listing.salePrice !== undefined && listing.salePrice < before;
  const isSamePrice = before === listing.salePrice;
  const prices = pricesOf(listing, earlier, todayInDays);
  return {
    ...listing,
    listedOn: Math.min(listedOn, listing.listedOn),
    viewCount,
    ...(prices && { prices }),
    ...(isReduced && { previousPrice: before, reducedOn: todayInDays }),
    ...(isSamePrice && earlier.previousPrice !== undefined && { previousPrice: earlier.previousPrice }),
    ...(isSamePrice && earlier.reducedOn !== undefined && { reducedOn: earlier.reducedOn }),
    // Last, where the stored version has them too; the writer corrects them when the URLs changed.
    ...(listing.photoUrls && earlier.photos && { photos: earlier.photos }),
  };
}
