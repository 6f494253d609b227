import { createBookmarkStore } from '../account/bookmarkStore.ts';
import { createSavedListingStore } from '../account/savedListingStore.ts';
import { createAlertStore } from '../alerts/alertStore.ts';
import { createDeviceStore } from '../alerts/deviceStore.ts';
import { createCaptureStore } from '../contact/captureStore.ts';
import { createProfileStore } from '../contact/profileStore.ts';
import { createReportStore } from '../contact/reportStore.ts';
import { createLeadStore } from '../leads/leadStore.ts';
import { createMailStore } from '../mail/mailStore.ts';
import { createDealStore } from '../payments/dealStore.ts';
import type { Db } from '../store/database.ts';
import type { AccountData } from '../http/callTypes.ts';

/** All stores of what people entered, over one fully durable file. */
export function createPeople(db: Db, now: () => number = Date.now) {
  const stores = {
    leads: createLeadStore(db, now),
    mails: createMailStore(db, now),
    bookmarks: createBookmarkStore(db, now),
    savedListings: createSavedListingStore(db, now),
    alerts: createAlertStore(db, now),
    devices: createDeviceStore(db, now),
    captures: createCaptureStore(db, now),
    reports: createReportStore(db, now),
    profiles: createProfileStore(db, now),
    deals: createDealStore(db, now),
  };
  const forget = [
    'DELETE FROM bookmarks WHERE account = ?',
    'DELETE FROM saved_listings WHERE account = ?',
    'DELETE FROM alerts WHERE account = ?',
    'DELETE FROM devices WHERE account = ?',
    `DELETE FROM profiles WHERE owner = 'account:' || ?`,
    'UPDATE leads SET account = NULL WHERE account = ?',
    'UPDATE reports SET account = NULL WHERE account = ?',
  ].map((sql) => db.prepare<[string]>(sql));

  return {
    ...stores,
    /** Everything that is kept about an account. */
    dataOf: (account: string): AccountData => ({
      bookmarks: stores.bookmarks.list(account),
      savedListings: stores.savedListings.list(account),
      alerts: stores.alerts.ofAccount(account).map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert),
      devices: stores.devices.ofAccount(account).map(({ brand, registeredAt }) => ({ brand, registeredAt })),
      leads: stores.leads
        .ofAccount(account)
        .map(({ listingId, receivedAt, body }) => ({ listingId, receivedAt, ...body })),
    }),
    /** Forgets the account. Messages stay with the sellers who have them, without its name beside them. */
    forget: (account: string): void =>
      db
        .transaction(() => {
          for (const statement of forget) statement.run(account);
        })
        .immediate(),
  };
}
export type People = ReturnType<typeof createPeople>;
