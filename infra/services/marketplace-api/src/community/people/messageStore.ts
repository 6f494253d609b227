import { CALLS } from '@forecourt/upstream/calls';
import type { LeadProfile } from '@forecourt/upstream/entities';
import type { Caller } from './caller.ts';
import type { Sql } from '@forecourt/service-kit/sql';
import type { ReportListing, LeadProfileForm } from '../../domain/callTypes.ts';

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
  add(lead: Lead, onStored: (stored: StoredLead) => Promise<unknown>): Promise<StoredLead | undefined>;
  all(): Promise<StoredLead[]>;
  ofAccount(account: string): Promise<StoredLead[]>;
  /** Listings that this caller has asked about. */
  listingIds(caller: Caller): Promise<ReadonlySet<string>>;
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

export function createLeadStore(sql: Sql, now: () => number = Date.now): LeadStore {
  return {
    add: (lead, onStored) =>
      sql.transaction(async () => {
        const { caller, ...stored } = lead;
        const receivedAt = now();
        const inserted = await sql.get<{ id: number }>(
          `INSERT INTO leads (idempotency_key, kind, listing_id, owner_id, account, consumer, received_at, body)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`,
          lead.idempotencyKey,
          lead.kind,
          lead.listingId,
          lead.ownerId,
          caller.account ?? null,
          caller.consumer ?? null,
          receivedAt,
          JSON.stringify(lead.body),
        );
        if (!inserted) return undefined;
        const row = { ...stored, id: inserted.id, receivedAt };
        await onStored(row);
        return row;
      }),
    all: async () => (await sql.all<LeadRow>('SELECT * FROM leads ORDER BY id')).map(toLead),
    ofAccount: async (account) =>
      (await sql.all<LeadRow>('SELECT * FROM leads WHERE account = ? ORDER BY id', account)).map(toLead),
    async listingIds({ account, consumer }) {
      const rows = await sql.all<{ listing_id: string }>(
        'SELECT listing_id FROM leads WHERE account = ? UNION SELECT listing_id FROM leads WHERE consumer = ?',
        account ?? null,
        consumer ?? null,
      );
      return new Set(rows.map(({ listing_id }) => listing_id));
    },
  };
}

interface StoredReport extends ReportListing {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface ReportStore {
  /** Stores a report once per idempotency key; false for a repeat. `onStored` runs in the same transaction. */
  add(report: ReportListing, caller: Caller, onStored: (id: number) => Promise<unknown>): Promise<boolean>;
  /** Newest first. */
  all(limit?: number): Promise<StoredReport[]>;
}

interface ReportRow {
  readonly id: number;
  readonly listing_id: string;
  readonly reason: ReportListing['reason'];
  readonly comments: string;
  readonly email: string;
  readonly received_at: number;
}

export function createReportStore(sql: Sql, now: () => number = Date.now): ReportStore {
  return {
    add: ({ idempotencyKey, listingId, reason, comments, email }, { account, consumer }, onStored) =>
      sql.transaction(async () => {
        const inserted = await sql.get<{ id: number }>(
          `INSERT INTO reports (idempotency_key, listing_id, reason, comments, email, account, consumer, received_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`,
          idempotencyKey ?? null,
          listingId,
          reason,
          comments,
          email,
          account ?? null,
          consumer ?? null,
          now(),
        );
        if (!inserted) return false;
        await onStored(inserted.id);
        return true;
      }),
    async all(limit = 100) {
      const rows = await sql.all<ReportRow>('SELECT * FROM reports ORDER BY id DESC LIMIT ?', limit);
      return rows.map((row) => ({
        id: row.id,
        listingId: row.listing_id,
        reason: row.reason,
        comments: row.comments,
        email: row.email,
        receivedAt: row.received_at,
      }));
    },
  };
}

/** Contact details of shoppers: as entered, else from the id token. */
export interface ProfileStore {
  get(caller: Caller): Promise<LeadProfile>;
  save(caller: Caller, profile: LeadProfileForm): Promise<void>;
}

/** The profile of an account takes precedence over that of the browser. */
const ownersOf = ({ account, consumer }: Caller): string[] =>
  account !== undefined ? [`account:${account}`] : consumer !== undefined ? [`consumer:${consumer}`] : [];

export function createProfileStore(sql: Sql, now: () => number = Date.now): ProfileStore {
  return {
    async get(caller) {
      for (const owner of ownersOf(caller)) {
        const row = await sql.get<{ body: string }>('SELECT body FROM profiles WHERE owner = ?', owner);
        if (row) return CALLS.leadCandidates.response.shape.profile.parse(JSON.parse(row.body));
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
    async save(caller, profile) {
      for (const owner of ownersOf(caller))
        await sql.run(
          `INSERT INTO profiles (owner, body, updated_at) VALUES (?, ?, ?)
           ON CONFLICT (owner) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
          owner,
          JSON.stringify(profile),
          now(),
        );
    },
  };
}
