import type { AccountData } from '../http/callTypes.ts';
import { createBookmarkStore, createSavedListingStore, createDealStore } from './savedStore.ts';
import { createAlertStore, createCaptureStore } from './subscriptionStore.ts';
import { createDeviceStore } from './deviceStore.ts';
import { createProfileStore, createReportStore, createLeadStore } from './messageStore.ts';
import { createMailStore } from './mailStore.ts';
import { type Db, openDatabase } from '../store/database.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

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

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * The file of what people entered, apart from the inventory: no importer's
 * transaction ever stands before a lead. A commit is on the disk before it
 * returns. Leads of a release that kept them beside the inventory are taken
 * over once.
 */
export function openPeopleDatabase(path: string, inventoryPath?: string): Db {
  const db = openDatabase(path, { durability: 'full', migrations: MIGRATIONS });
  if (inventoryPath !== undefined && existsSync(inventoryPath)) adoptLeads(db, inventoryPath);
  return db;
}

function adoptLeads(db: Db, inventoryPath: string): void {
  const inventory = new Database(inventoryPath, { readonly: true });
  try {
    const hasLeads = inventory
      .prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'leads'`)
      .get();
    if (!hasLeads) return;
    const insert = db.prepare(
      `INSERT INTO leads (idempotency_key, kind, listing_id, owner_id, received_at, body)
       VALUES (@idempotency_key, @kind, @listing_id, @owner_id, @received_at, @body)
       ON CONFLICT (idempotency_key) DO NOTHING`,
    );
    db.transaction(() => {
      for (const lead of inventory.prepare('SELECT * FROM leads ORDER BY id').iterate()) insert.run(lead);
    }).immediate();
  } finally {
    inventory.close();
  }
}
