import { formatNumber, formatPlace } from '@forecourt/search/format';
import { detailUrl } from '@forecourt/search/url';
import { defineSlot, type LoadContext } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { savedPageHead } from '../savedPages/SavedPage.tsx';
import {
  SAVED_VEHICLES_PATH,
  SAVED_VEHICLES_TITLE,
  type VehicleCard,
  type SavedVehiclesData,
  SavedVehicles,
} from '../savedPages/SavedVehicles.tsx';

/** Each vehicle on the page costs one listing call. */
const MAX_VEHICLES = 48;

function toCard(listing: Listing, owner: Owner): VehicleCard {
  const { images, mileage, pricingDetail, title } = listing;
  return {
    title,
    href: detailUrl(listing, 'listing'),
    imageUrl: (images.sources[images.primary] ?? images.sources[0])?.src ?? null,
    price: pricingDetail.derivedPrice ?? null,
    facts: [mileage && `${formatNumber(mileage.value)} mi`, formatPlace(owner.location?.address)]
      .filter(Boolean)
      .join(' · '),
  };
}

async function loadCard(
  id: string,
  { call, signal }: Pick<LoadContext, 'call' | 'signal'>,
): Promise<VehicleCard | null> {
  try {
    const { listing, owner } = await call('listing', { id }, { signal });
    return toCard(listing, owner);
  } catch (error) {
    // The upstream refuses listings that are gone; any other error fails the page.
    if ((error as { code?: unknown }).code === 'REFUSED') return null;
    throw error;
  }
}

/** Main slot of `/account/saved-vehicles`; data is null when the account service is unavailable. */
export default defineSlot<SavedVehiclesData | null>({
  reads: ['page', 'session'],
  async load(context) {
    const response = await context.call('savedListings', {}, { signal: context.signal });
    if (!('savedListings' in response)) return null;
    const { savedListings } = response;
    const vehicles = await Promise.all(
      savedListings.slice(0, MAX_VEHICLES).map(async ({ listingId, savedPrice = null }) => ({
        listingId,
        savedPrice,
        card: await loadCard(listingId, context),
      })),
    );
    return { vehicles, hiddenCount: savedListings.length - vehicles.length };
  },
  page: ({ data }) => savedPageHead(SAVED_VEHICLES_TITLE, SAVED_VEHICLES_PATH, data !== null),
  view: SavedVehicles,
});
