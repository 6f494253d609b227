import { withThousands } from '@forecourt/shared-contracts/catalog';
import type { Logger } from 'pino';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { type StockListing, derivedPrice, vehicleName } from '../domain/stock.ts';
import type { Notification, PushSender } from './devices.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const notificationOf = (listing: StockListing, before: number, price: number): Notification => ({
  title: `Price drop: $${withThousands(before - price)} less`,
  body: `${vehicleName(listing)} is now $${withThousands(price)}, down from $${withThousands(before)}.`,
  url: `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}?clickType=alert`,
  tag: `price-${listing.id}`,
});

/**
 * Notifies accounts when a saved listing costs less than the price they know.
 * A drop counts as notified when one browser received it or none is left.
 */
export function createPriceDrops(deps: {
  readonly people: Pick<People, 'savedListings' | 'devices'>;
  readonly store: ListingStore;
  readonly push: PushSender;
  readonly logger: Logger;
}) {
  const { people, store, push, logger } = deps;

  async function notify(account: string, notification: Notification): Promise<boolean> {
    const devices = people.devices.ofAccount(account);
    let reached = 0;
    let failed = 0;
    for (const { token, tokenHash } of devices) {
      try {
        if ((await push.send(token, notification)) === 'gone') people.devices.forgetHash(tokenHash);
        else reached++;
      } catch (error) {
        failed++;
        logger.warn({ err: error, device: tokenHash.slice(0, 12) }, 'push not delivered yet');
      }
    }
    return reached > 0 || failed === 0;
  }

  return {
    /** Returns the number of drops notified. */
    async run(): Promise<number> {
      let notified = 0;
      for (const { account, listingId, knownPrice } of people.savedListings.watched()) {
        const [listing] = store.listings([listingId]);
        const price = listing && derivedPrice(listing);
        if (!listing || price === undefined || price === knownPrice) continue;
        const isDrop = knownPrice !== null && price < knownPrice;
        if (isDrop && !(await notify(account, notificationOf(listing, knownPrice, price)))) continue;
        if (isDrop) notified++;
        people.savedListings.markNotified(account, listingId, price);
        await pause();
      }
      return notified;
    },
  };
}
