import { defineSlot, type LoadContext } from '@forecourt/slots';
import { SAVED_VEHICLES_PATH } from '../savedListings/savedListings.ts';
import { savedPageHead } from '../savedPages/SavedPage.tsx';
import { SAVED_VEHICLES_TITLE, type SavedVehiclesData, SavedVehicles } from '../savedPages/SavedVehicles.tsx';
import { cardOf, loadSoldCard, type VehicleCard } from '../savedPages/vehicleCard.ts';

/** Each vehicle on the page costs one listing call. */
const MAX_VEHICLES = 48;

async function loadCard(
  id: string,
  { call, signal }: Pick<LoadContext, 'call' | 'signal'>,
): Promise<VehicleCard | null> {
  try {
    const { listing, owner } = await call('listing', { id }, { signal });
    return cardOf(listing, owner);
  } catch (error) {
    // The upstream refuses listings that are gone; any other error fails the page.
    if ((error as { code?: unknown }).code === 'REFUSED') return loadSoldCard(id, call);
    throw error;
  }
}

/**
 * Main slot of `/account/saved-vehicles`; data is null when the account service is unavailable. Without an account, the
 * browser loads what it has saved.
 */
export default defineSlot<SavedVehiclesData | null>({
  reads: ['page', 'session'],
  async load(context) {
    if (!context.state.session.signedIn) return { vehicles: [], hiddenCount: 0 };
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
