import type { Listing } from '@forecourt/shared-contracts/entities';
import type { StockListing } from '../domain/stock.ts';

const ANGLES = [
  { angle: 'front', text: 'front view' },
  { angle: 'side', text: 'side view' },
  { angle: 'rear', text: 'rear view' },
] as const;

/** Pictures of a listing: drawings of its body style in its colour. */
export function listingImages(stock: StockListing): Listing['images'] {
  const paint = stock.extColor ?? 'GRAY';
  const name = `${stock.year} ${stock.make.name} ${stock.model.name}`;
  return {
    primary: 0,
    sources: ANGLES.map(({ angle, text }) => ({
      src: `/pictures/${stock.bodyStyle.toLowerCase()}/${paint.toLowerCase()}/${angle}.svg`,
      alt: `${name}, ${text}`,
    })),
  };
}
