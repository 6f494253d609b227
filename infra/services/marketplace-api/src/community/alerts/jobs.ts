import { formatNumber } from '@forecourt/search/format';
import type { Logger } from '@forecourt/service-kit/log';
import type { MailContext } from '../messages/contactRoutes.ts';
import { type ListingIndex, readSearchRequest } from '../../search/index.ts';
import type { People } from '../people/people.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import type { ListingStore, NewListings } from '../../inventory/index.ts';
import { digestMail } from './alertMails.ts';
import type { Alert } from '../people/subscriptionStore.ts';
import { type StockListing, derivedPrice, vehicleName } from '../../domain/stock.ts';
import type { Notification, PushSender } from './webPush.ts';

/** Alerts per run. */
const BATCH = 200;
/** New listings per run; the rest of a large import follows in the next run. */
const MAX_NEW = 20_000;
/** Listings in an email. */
const SHOWN = 6;

/** Lets requests run between two steps of a job. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface DigestDeps {
  readonly people: Pick<People, 'alerts' | 'mails'>;
  readonly newListings: NewListings;
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly places: PlaceFinder;
  readonly mailContext: MailContext;
  readonly logger: Logger;
  /** ms between two emails about one search. */
  readonly intervalMs: number;
  /** The same for searches whose matches are emailed at once: what arrives together is one email. */
  readonly atOnceMs: number;
  readonly now?: () => number;
}

/**
 * Finds new matches of subscribed searches and queues one email each. Progress
 * and email are stored in one transaction, so that every match is sent exactly
 * once.
 */
export function createDigest(deps: DigestDeps) {
  const {
    people,
    newListings,
    index,
    store,
    places,
    mailContext,
    logger,
    intervalMs,
    atOnceMs,
    now = Date.now,
  } = deps;
  /** Newest row of the previous run: the index has caught up with it by now. */
  let horizon = newListings.newestRow();
  // The first run asks again.
  horizon.catch(() => undefined);

  const { inventory } = newListings;

  async function sendNewMatches(alert: Alert, until: number): Promise<boolean> {
    if (alert.inventory !== null && alert.inventory !== inventory) {
      // Numbered by another replica's inventory: what arrives from now on counts.
      await people.alerts.recordRun(alert, { row: until, inventory });
      return false;
    }
    // A rebuilt inventory may have fewer rows than the alert has seen.
    const from = Math.min(alert.seenRow, until);
    const { ids, lastRow } = await newListings.between(from, until, MAX_NEW);
    const { query } = readSearchRequest(new URLSearchParams(alert.search), places);
    const { total, hits } =
      ids.length === 0
        ? { total: 0, hits: [] }
        : await index.search({ ...query, ids }, { sort: 'relevance', first: 0, size: SHOWN });
    if (total === 0) {
      await people.alerts.recordRun(alert, { row: lastRow, inventory });
      return false;
    }
    const listings = await store.listings(hits.map(({ id }) => id));
    const mail = digestMail(alert, { total, listings }, mailContext);
    return people.alerts.recordRun(alert, { row: lastRow, inventory }, () =>
      people.mails.add('alert-digest', mail, `digest:${alert.alertId}:${inventory}:${lastRow}`),
    );
  }

  return {
    /** Returns the number of queued emails. */
    async run(signal?: AbortSignal): Promise<number> {
      const newest = await newListings.newestRow();
      const until = Math.min(await horizon.catch(() => newest), newest);
      horizon = Promise.resolve(newest);
      let sentCount = 0;
      for (const alert of await people.alerts.due(now() - intervalMs, BATCH, now() - atOnceMs)) {
        if (signal?.aborted) break;
        try {
          if (await sendNewMatches(alert, until)) sentCount++;
        } catch (error) {
          logger.error({ err: error, alert: alert.alertId }, 'alert failed');
          await people.alerts.recordRun(alert, {
            row: alert.seenRow,
            inventory: alert.inventory ?? inventory,
          });
        }
        await pause();
      }
      return sentCount;
    },
  };
}

const notificationOf = (listing: StockListing, before: number, price: number): Notification => ({
  title: `Price drop: $${formatNumber(before - price)} less`,
  body: `${vehicleName(listing)} is now $${formatNumber(price)}, down from $${formatNumber(before)}.`,
  url: `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}?clickType=alert`,
  tag: `price-${listing.id}`,
});

/**
 * Notifies accounts when a saved listing costs less than the last price they were
 * notified of.
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
    const devices = await people.devices.ofAccount(account);
    let reached = 0;
    let failed = 0;
    for (const { token, tokenHash } of devices) {
      try {
        if ((await push.send(token, notification)) === 'gone') await people.devices.forgetHash(tokenHash);
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
    async run(signal?: AbortSignal): Promise<number> {
      let notified = 0;
      for (const { account, listingId, knownPrice } of await people.savedListings.watched()) {
        if (signal?.aborted) break;
        const [listing] = await store.listings([listingId]);
        const price = listing && derivedPrice(listing);
        if (!listing || price === undefined || price === knownPrice) continue;
        const isDrop = knownPrice !== null && price < knownPrice;
        if (isDrop && !(await notify(account, notificationOf(listing, knownPrice, price)))) continue;
        if (isDrop) notified++;
        await people.savedListings.markNotified(account, listingId, price);
        await pause();
      }
      return notified;
    },
  };
}
