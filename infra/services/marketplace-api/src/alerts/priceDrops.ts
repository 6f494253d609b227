import { withThousands } from '@forecourt/shared-contracts/catalog';
import type { Logger } from 'pino';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { type StockListing, derivedPrice, vehicleName } from '../domain/stock.ts';
import type { Notification, PushSender } from './devices.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const notificationOf = (listing: StockListing, before: number, price: number): Notification => ({
  title: `Price drop: $${withThousands(before - price)} less`,
  body: `${vehicleName(listing)} is now $${withThousands(price)}, it was $${withThousands(before)}.`,
  url: `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}?clickType=alert`,
  tag: `price-${listing.id}`,
});

/**
 * The job that tells accounts' browsers when a listing they saved became
 * cheaper than the price they know. A drop counts as told when one of the
 * browsers has it, or none is left that could.
 */
export function createPriceDrops(deps: {
  readonly people: Pick<People, 'savedListings' | 'devices'>;
  readonly store: ListingStore;
  readonly push: PushSender;
  readonly logger: Logger;
}) {
  const { people, store, push, logger } = deps;

  async function tell(account: string, notification: Notification): Promise<boolean> {
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
    /** Gives the number of drops that were told. */
    async run(): Promise<number> {
      let told = 0;
      for (const { account, listingId, knownPrice } of people.savedListings.watched()) {
        const [listing] = store.listings([listingId]);
        const price = listing && derivedPrice(listing);
        if (!listing || price === undefined || price === knownPrice) continue;
        const isDrop = knownPrice !== null && price < knownPrice;
        if (isDrop && !(await tell(account, notificationOf(listing, knownPrice, price)))) continue;
        if (isDrop) told++;
        people.savedListings.told(account, listingId, price);
        await pause();
      }
      return told;
    },
  };
}
