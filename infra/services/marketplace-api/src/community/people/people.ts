import type { AccountData, Device } from '../../domain/callTypes.ts';
import { createBookmarkStore, createSavedListingStore, createDealStore } from './savedStore.ts';
import { createCaptureStore } from './captureStore.ts';
import { createAlertStore, emailKey, publicAlert } from './subscriptionStore.ts';
import { createProfileStore, createReportStore, createLeadStore } from './messageStore.ts';
import { createMailStore } from './mailStore.ts';
import { sweepRetention } from './retention.ts';
import { type Db, openDatabase } from '@forecourt/service-kit/database';
import type { Sql } from '@forecourt/service-kit/sql';
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
  register(device: Device, caller: Caller): Promise<void>;
  forget(token: string): Promise<void>;
  forgetHash(tokenHash: string): Promise<void>;
  ofAccount(account: string): Promise<RegisteredDevice[]>;
  count(): Promise<number>;
}

interface Row {
  readonly token_hash: string;
  readonly token: string;
  readonly brand: string;
  readonly registered_at: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function createDeviceStore(sql: Sql, now: () => number = Date.now): DeviceStore {
  const forgetHash = async (hash: string) => {
    await sql.run('DELETE FROM devices WHERE token_hash = ?', hash);
  };
  return {
    async register({ brand, pixall_id: pixallId, browser_token: token }, { account }) {
      await sql.run(
        `INSERT INTO devices (token_hash, token, brand, pixall_id, account, registered_at)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (token_hash) DO UPDATE SET brand = excluded.brand, pixall_id = excluded.pixall_id,
           account = coalesce(excluded.account, devices.account), registered_at = excluded.registered_at`,
        hashOf(token),
        token,
        brand,
        pixallId,
        account ?? null,
        now(),
      );
    },
    forget: (token) => forgetHash(hashOf(token)),
    forgetHash,
    async ofAccount(account) {
      const rows = await sql.all<Row>(
        'SELECT * FROM devices WHERE account = ? ORDER BY registered_at',
        account,
      );
      return rows.map((row) => ({
        tokenHash: row.token_hash,
        token: row.token,
        brand: row.brand,
        registeredAt: row.registered_at,
      }));
    },
    count: async () => (await sql.get<{ n: number }>('SELECT count(*) AS n FROM devices'))!.n,
  };
}

/** What ends with an account. Messages to sellers stay, without it; emails keep it, because they count for its budgets. */
const FORGET = [
  'DELETE FROM bookmarks WHERE account = ?',
  'DELETE FROM saved_listings WHERE account = ?',
  'DELETE FROM alerts WHERE account = ?',
  'DELETE FROM devices WHERE account = ?',
  `DELETE FROM profiles WHERE owner = 'account:' || ?`,
  'UPDATE leads SET account = NULL WHERE account = ?',
  'UPDATE reports SET account = NULL WHERE account = ?',
];

/** All stores of user data, over one fully durable database. */
export function createPeople(sql: Sql, now: () => number = Date.now) {
  const stores = {
    leads: createLeadStore(sql, now),
    mails: createMailStore(sql, now),
    bookmarks: createBookmarkStore(sql, now),
    savedListings: createSavedListingStore(sql, now),
    alerts: createAlertStore(sql, now),
    devices: createDeviceStore(sql, now),
    captures: createCaptureStore(sql, now),
    reports: createReportStore(sql, now),
    profiles: createProfileStore(sql, now),
    deals: createDealStore(sql, now),
  };

  return {
    ...stores,
    /** All data of an account. */
    async dataOf(account: string): Promise<AccountData> {
      const alerts = await stores.alerts.ofAccount(account);
      const devices = await stores.devices.ofAccount(account);
      const leads = await stores.leads.ofAccount(account);
      return {
        profile: await stores.profiles.get({ account }),
        bookmarks: await stores.bookmarks.list(account),
        savedListings: await stores.savedListings.list(account),
        alerts: alerts.map(publicAlert),
        devices: devices.map(({ brand, registeredAt }) => ({ brand, registeredAt })),
        leads: leads.map(({ listingId, receivedAt, body }) => ({ listingId, receivedAt, ...body })),
      };
    },
    /** Deletes the data of an account and of its verified address. Messages to sellers stay, without their account. */
    forget: ({ account, verifiedEmail }: Caller & { readonly account: string }): Promise<void> =>
      sql.transaction(async () => {
        for (const statement of FORGET) await sql.run(statement, account);
        if (verifiedEmail === undefined) return;
        for (const table of ['alerts', 'captures'])
          await sql.run(`DELETE FROM ${table} WHERE email_key = ?`, emailKey(verifiedEmail));
      }),
    /** Deletes what was kept long enough, and returns the number of rows. */
    async sweep(): Promise<number> {
      const { mails, alerts, captures } = stores;
      return (
        (await mails.sweep()) +
        (await alerts.sweep()) +
        (await captures.sweep()) +
        (await sweepRetention(sql, now))
      );
    },
  };
}
export type People = ReturnType<typeof createPeople>;

/** A commit is on disk before it returns. */
export const PEOPLE_OPTIONS = {
  durability: 'full',
  migrations: join(import.meta.dirname, 'migrations'),
} as const;

/**
 * Opens the file of user data. It is separate from the inventory, so that no
 * import blocks a lead. A commit is on disk before it returns. Leads that an
 * earlier release stored in the inventory file are migrated once.
 */
export function openPeopleDatabase(path: string, inventoryPath?: string): Db {
  const db = openDatabase(path, PEOPLE_OPTIONS);
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
