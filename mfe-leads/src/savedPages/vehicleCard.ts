import { formatNumber, formatPlace } from '@forecourt/search/format';
import { detailUrl } from '@forecourt/search/url';
import type { Call } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing, Owner } from '@forecourt/upstream/entities';

/** What a card shows of a listing. */
export interface VehicleCard {
  readonly title: string;
  readonly href: string;
  readonly imageUrl: string | null;
  /** USD, of a sold vehicle the last one; null means 'Call for price'. */
  readonly price: number | null;
  /** '31,250 mi · Chicago, IL'. */
  readonly facts: string;
  readonly seller: string;
  /** It is no longer for sale. */
  readonly isSold: boolean;
}

type Removed = NonNullable<NonNullable<CallResponses['vehicleModel']>['removed']>;

const milesOf = (miles: number | undefined) => miles !== undefined && `${formatNumber(miles)} mi`;

export function cardOf(listing: Listing, owner: Owner): VehicleCard {
  const { images, mileage, pricingDetail, title } = listing;
  return {
    title,
    href: detailUrl(listing, 'listing'),
    imageUrl: (images.sources[images.primary] ?? images.sources[0])?.src ?? null,
    price: pricingDetail.derivedPrice ?? null,
    facts: [milesOf(mileage?.value), formatPlace(owner.location?.address)].filter(Boolean).join(' · '),
    seller: owner.name,
    isSold: false,
  };
}

/** Its link leads to comparable vehicles. */
const soldCardOf = (listingId: string, { title, image, price, mileage }: Removed): VehicleCard => ({
  title,
  href: `/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`,
  imageUrl: image?.src ?? null,
  price: price ?? null,
  facts: milesOf(mileage) || '',
  seller: '',
  isSold: true,
});

/** What is known of a vehicle that is not for sale; null when it is nothing. */
export async function loadSoldCard(id: string, call: Call): Promise<VehicleCard | null> {
  const model = await call('vehicleModel', { id }).catch(() => null);
  return model?.removed ? soldCardOf(id, model.removed) : null;
}
