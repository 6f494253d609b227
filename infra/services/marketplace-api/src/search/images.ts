import type { Listing } from '@forecourt/shared-contracts/entities';
import type { StockListing } from '../domain/stock.ts';
import type { PictureAngle } from '../pictures/picturePath.ts';
import { PICTURE_ANGLES, UNKNOWN_PAINT, picturePath } from '../pictures/picturePath.ts';
import { TURN_DEGREES } from '../pictures/turn.ts';
import type { Spin } from '../http/callTypes.ts';

const VIEWS: Readonly<Record<PictureAngle, string>> = {
  'front-three-quarter': 'front view',
  side: 'side view',
  rear: 'rear view',
  interior: 'interior',
  detail: 'detail of the front',
};

/** Pictures of a listing: drawings of its body style in its colour (B3-LISTING-04). */
export function listingImages(stock: StockListing): Listing['images'] {
  const { bodyStyle, extColor: paint = UNKNOWN_PAINT } = stock;
  const name = `${stock.year} ${stock.make.name} ${stock.model.name}`;
  return {
    primary: 0,
    sources: PICTURE_ANGLES.map((angle) => ({
      src: picturePath({ bodyStyle, paint, angle }),
      alt: `${name}, ${VIEWS[angle]}`,
    })),
  };
}

/** The turn around a vehicle that has a 360 view (A3-LISTING-08). */
export function spinOf({
  fyuseId,
  bodyStyle,
  extColor: paint = UNKNOWN_PAINT,
}: StockListing): Spin | undefined {
  if (fyuseId === undefined) return undefined;
  return {
    fyuseId,
    frames: TURN_DEGREES.map((degrees) => ({
      degrees,
      src: picturePath({ bodyStyle, paint, angle: `turn-${degrees}` }),
    })),
  };
}
