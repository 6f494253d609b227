import type { AccountData, Device } from '../http/requests.ts';
import { createBookmarkStore, createSavedListingStore, createDealStore } from './savedStore.ts';
import { createCaptureStore } from './captureStore.ts';
import { createAlertStore } from './subscriptionStore.ts';
import { createProfileStore, createReportStore, createLeadStore } from './messageStore.ts';
import { createMailStore } from './mailStore.ts';
import { createRetention } from './retention.ts';
import { type Db, openDatabase } from '@forecourt/durable/database';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

interface RegisteredDevice {
  readonly tokenHash: string;
  readonly token: string;
  readonly brand: string;
  readonly registeredAt: number;
}

interface DeviceStore {
  /** Registers a browser; another account that signs in there takes it over. */
  register(device: Device, caller: Caller): void;
  forget(token: string): void;
  forgetHash(tokenHash: string): void;
  ofAccount(account: string): RegisteredDevice[];
  count(): number;
}

interface Row {
  readonly token_hash: string;
  readonly token: string;
  readonly brand: string;
  readonly registered_at: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function createDeviceStore(db: Db, now: () => number = Date.now): DeviceStore {
  const upsert = db.prepare(
    `INSERT INTO devices (token_hash, token, brand, pixall_id, account, registered_at)
     VALUES (@hash, @token, @brand, @pixallId, @account, @at)
     ON CONFLICT (token_hash) DO UPDATE SET brand = @brand, pixall_id = @pixallId,
       account = coalesce(@account, account), registered_at = @at`,
  );
  const remove = db.prepare('DELETE FROM devices WHERE token_hash = ?');
  const ofAccount = db.prepare<[string], Row>(
    'SELECT * FROM devices WHERE account = ? ORDER BY registered_at',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM devices').pluck();
  return {
    register({ brand, pixall_id: pixallId, browser_token: token }, { account }) {
      upsert.run({ hash: hashOf(token), token, brand, pixallId, account: account ?? null, at: now() });
    },
    forget: (token) => void remove.run(hashOf(token)),
    forgetHash: (hash) => void remove.run(hash),
    ofAccount: (account) =>
      ofAccount.all(account).map((row) => ({
        tokenHash: row.token_hash,
        token: row.token,
        brand: row.brand,
        registeredAt: row.registered_at,
      })),
    count: () => count.get()!,
  };
}

/** All stores of user data, over one fully durable file. */
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
    retention: createRetention(db, now),
  };
  const forget = [
    'DELETE FROM bookmarks WHERE account = ?',
    'DELETE FROM saved_listings WHERE account = ?',
    'DELETE FROM alerts WHERE account = ?',
    'DELETE FROM devices WHERE account = ?',
    `DELETE FROM profiles WHERE owner = 'account:' || ?`,
    'UPDATE leads SET account = NULL WHERE account = ?',
    'UPDATE mails SET account = NULL WHERE account = ?',
    'UPDATE reports SET account = NULL WHERE account = ?',
  ].map((sql) => db.prepare<[string]>(sql));

  return {
    ...stores,
    /** All data of an account. */
    dataOf: (account: string): AccountData => ({
      bookmarks: stores.bookmarks.list(account),
      savedListings: stores.savedListings.list(account),
      alerts: stores.alerts.ofAccount(account).map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert),
      devices: stores.devices.ofAccount(account).map(({ brand, registeredAt }) => ({ brand, registeredAt })),
      leads: stores.leads
        .ofAccount(account)
        .map(({ listingId, receivedAt, body }) => ({ listingId, receivedAt, ...body })),
    }),
    /** Deletes the account's data. Messages to sellers stay, without their account. */
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
 * Opens the file of user data. It is separate from the inventory, so that no
 * import blocks a lead. A commit is on disk before it returns. Leads that an
 * earlier release stored in the inventory file are migrated once.
 */
export function openPeopleDatabase(path: string, inventoryPath?: string): Db {
  const db = openDatabase(path, { durability: 'full', migrations: MIGRATIONS });
  if (inventoryPath !== undefined && existsSync(inventoryPath)) migrateLeads(db, inventoryPath);
  return db;
}

function migrateLeads(db: Db, inventoryPath: string): void {
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
