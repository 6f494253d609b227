import { CALLS } from '@forecourt/shared-contracts/calls';
import type { Caller } from './caller.ts';
import type { Db } from '@forecourt/durable/database';
import { type ReportListing, type LeadProfileForm } from '../http/requests.ts';
import { type LeadProfile } from '@forecourt/shared-contracts/entities';

export type LeadKind = 'email-owner' | 'make-offer';

interface Lead {
  readonly idempotencyKey: string;
  readonly kind: LeadKind;
  readonly listingId: string;
  readonly ownerId: string;
  readonly caller: Caller;
  /** The shopper's message. */
  readonly body: LeadBody;
}

export interface LeadBody {
  readonly comments: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly fromEmailAddress: string;
  readonly phoneNumber: string;
  /** US dollars. */
  readonly offerAmount?: number;
}

export interface StoredLead extends Omit<Lead, 'caller'> {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface LeadStore {
  /**
   * Stores a lead once per idempotency key; undefined for a repeat. `onStored`
   * runs in the same transaction, which is on disk when this returns.
   */
  add(lead: Lead, onStored: (stored: StoredLead) => void): StoredLead | undefined;
  all(): StoredLead[];
  ofAccount(account: string): StoredLead[];
  /** Listings that this caller has asked about. */
  listingIds(caller: Caller): Set<string>;
}

interface LeadRow {
  readonly id: number;
  readonly idempotency_key: string;
  readonly kind: LeadKind;
  readonly listing_id: string;
  readonly owner_id: string;
  readonly received_at: number;
  readonly body: string;
}

const toLead = (row: LeadRow): StoredLead => ({
  id: row.id,
  idempotencyKey: row.idempotency_key,
  kind: row.kind,
  listingId: row.listing_id,
  ownerId: row.owner_id,
  receivedAt: row.received_at,
  body: JSON.parse(row.body) as LeadBody,
});

export function createLeadStore(db: Db, now: () => number = Date.now): LeadStore {
  const insert = db.prepare(
    `INSERT INTO leads (idempotency_key, kind, listing_id, owner_id, account, consumer, received_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
  );
  const select = db.prepare<[], LeadRow>('SELECT * FROM leads ORDER BY id');
  const byAccount = db.prepare<[string], LeadRow>('SELECT * FROM leads WHERE account = ? ORDER BY id');
  const written = db
    .prepare<[string | null, string | null], string>(
      'SELECT listing_id FROM leads WHERE account = ? UNION SELECT listing_id FROM leads WHERE consumer = ?',
    )
    .pluck();
  return {
    add: (lead, onStored) =>
      db
        .transaction((): StoredLead | undefined => {
          const { caller, ...stored } = lead;
          const receivedAt = now();
          const { changes, lastInsertRowid } = insert.run(
            lead.idempotencyKey,
            lead.kind,
            lead.listingId,
            lead.ownerId,
            caller.account ?? null,
            caller.consumer ?? null,
            receivedAt,
            JSON.stringify(lead.body),
          );
          if (changes === 0) return undefined;
          const row = { ...stored, id: Number(lastInsertRowid), receivedAt };
          onStored(row);
          return row;
        })
        .immediate(),
    all: () => select.all().map(toLead),
    ofAccount: (account) => byAccount.all(account).map(toLead),
    listingIds: ({ account, consumer }) => new Set(written.all(account ?? null, consumer ?? null)),
  };
}

interface StoredReport extends ReportListing {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface ReportStore {
  /** Stores a report once per idempotency key; false for a repeat. `onStored` runs in the same transaction. */
  add(report: ReportListing, caller: Caller, onStored: (id: number) => void): boolean;
  /** Newest first. */
  all(limit?: number): StoredReport[];
}

interface ReportRow {
  readonly id: number;
  readonly listing_id: string;
  readonly reason: ReportListing['reason'];
  readonly comments: string;
  readonly email: string;
  readonly received_at: number;
}

export function createReportStore(db: Db, now: () => number = Date.now): ReportStore {
  const insert = db.prepare(
    `INSERT INTO reports (idempotency_key, listing_id, reason, comments, email, account, consumer, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
  );
  const all = db.prepare<[number], ReportRow>('SELECT * FROM reports ORDER BY id DESC LIMIT ?');
  return {
    add: ({ idempotencyKey, listingId, reason, comments, email }, { account, consumer }, onStored) =>
      db
        .transaction(() => {
          const { changes, lastInsertRowid } = insert.run(
            idempotencyKey ?? null,
            listingId,
            reason,
            comments,
            email,
            account ?? null,
            consumer ?? null,
            now(),
          );
          if (changes === 0) return false;
          onStored(Number(lastInsertRowid));
          return true;
        })
        .immediate(),
    all: (limit = 100) =>
      all.all(limit).map((row) => ({
        id: row.id,
        listingId: row.listing_id,
        reason: row.reason,
        comments: row.comments,
        email: row.email,
        receivedAt: row.received_at,
      })),
  };
}

/** Contact details of shoppers: as entered, else from the id token. */
export interface ProfileStore {
  get(caller: Caller): LeadProfile;
  save(caller: Caller, profile: LeadProfileForm): void;
}

/** The profile of an account takes precedence over that of the browser. */
const ownersOf = ({ account, consumer }: Caller): string[] =>
  account !== undefined ? [`account:${account}`] : consumer !== undefined ? [`consumer:${consumer}`] : [];

export function createProfileStore(db: Db, now: () => number = Date.now): ProfileStore {
  const select = db.prepare<[string], string>('SELECT body FROM profiles WHERE owner = ?').pluck();
  const upsert = db.prepare(
    `INSERT INTO profiles (owner, body, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (owner) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  );
  return {
    get(caller) {
      for (const owner of ownersOf(caller)) {
        const body = select.get(owner);
        if (body !== undefined) return CALLS.leadCandidates.response.shape.profile.parse(JSON.parse(body));
      }
      const { verifiedEmail: email = '', name } = caller;
      return {
        firstName: name?.first ?? '',
        lastName: name?.last ?? '',
        email,
        phone: '',
        isOneClickOptedIn: false,
      };
    },
    save(caller, profile) {
      for (const owner of ownersOf(caller)) upsert.run(owner, JSON.stringify(profile), now());
    },
  };
}
