import type { Logger } from 'pino';
import type { MailContext } from '../messages/contactMails.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { People } from '../people/people.ts';
import type { PlaceFinder } from '../places/places.ts';
import { readSearchRequest } from '../search/request.ts';
import type { ListingStore, NewListings } from '../store/listingStore.ts';
import { digestMail } from './alertMails.ts';
import type { Alert } from '../people/subscriptionStore.ts';

/** Alerts looked at in one run; the rest waits for the next one. */
const BATCH = 200;
/** New listings that one run takes in; what came with a larger import follows in the next run. */
const MAX_NEW = 20_000;
/** Listings that a mail shows. */
const SHOWN = 6;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface DigestDeps {
  readonly people: Pick<People, 'alerts' | 'mails'>;
  readonly newListings: NewListings;
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly places: PlaceFinder;
  readonly mailContext: MailContext;
  readonly logger: Logger;
  /** ms between two mails about one search. */
  readonly intervalMs: number;
  readonly now?: () => number;
}

/**
 * The job that finds new matches of subscribed searches and writes one mail
 * each. What it has taken in is noted with the mail in one transaction, so
 * that a match is told once and none is left out.
 */
export function createDigest(deps: DigestDeps) {
  const { people, newListings, index, store, places, mailContext, logger, intervalMs, now = Date.now } = deps;
  /** Rows which the index had time to take over: those of the run before. */
  let horizon = newListings.newestRow();

  function look(alert: Alert, until: number): 'told' | 'nothing' {
    // Fewer listings than this alert has seen: the inventory was made anew.
    const from = Math.min(alert.seenRow, until);
    const { ids, lastRow } = newListings.between(from, until, MAX_NEW);
    const { query } = readSearchRequest(new URLSearchParams(alert.search), places);
    const { total, hits } =
      ids.length === 0
        ? { total: 0, hits: [] }
        : index.search({ ...query, ids }, { sort: 'relevance', first: 0, size: SHOWN });
    if (total === 0) {
      people.alerts.ran(alert.alertId, lastRow);
      return 'nothing';
    }
    const listings = store.listings(hits.map(({ id }) => id));
    people.alerts.ran(alert.alertId, lastRow, () => {
      const mail = digestMail(alert, { total, listings }, mailContext);
      people.mails.add('alert-digest', mail, `digest:${alert.alertId}:${lastRow}`);
    });
    return 'told';
  }

  return {
    /** Gives the number of mails written. */
    async run(): Promise<number> {
      const until = horizon;
      horizon = newListings.newestRow();
      let told = 0;
      for (const alert of people.alerts.due(now() - intervalMs, BATCH)) {
        try {
          if (look(alert, Math.min(until, horizon)) === 'told') told++;
        } catch (error) {
          logger.error({ err: error, alert: alert.alertId }, 'alert could not be looked at');
          people.alerts.ran(alert.alertId, alert.seenRow);
        }
        await pause();
      }
      return told;
    },
  };
}
