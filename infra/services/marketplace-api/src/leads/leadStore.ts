import type { Caller } from '../people/caller.ts';
import type { Db } from '../store/database.ts';

export type LeadKind = 'email-owner' | 'make-offer';

export interface Lead {
  readonly idempotencyKey: string;
  readonly kind: LeadKind;
  readonly listingId: string;
  readonly ownerId: string;
  readonly caller: Caller;
  /** What the person wrote. */
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
   * Stores a lead once, however often it is sent; undefined for a repeat.
   * `withIt` runs in the same transaction, which is on the disk when this
   * returns.
   */
  add(lead: Lead, withIt: (stored: StoredLead) => void): StoredLead | undefined;
  all(): StoredLead[];
  ofAccount(account: string): StoredLead[];
  /** Listings about which this caller has written. */
  listingIds(caller: Caller): Set<string>;
}

interface Row {
  readonly id: number;
  readonly idempotency_key: string;
  readonly kind: LeadKind;
  readonly listing_id: string;
  readonly owner_id: string;
  readonly received_at: number;
  readonly body: string;
}

const toLead = (row: Row): StoredLead => ({
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
  const select = db.prepare<[], Row>('SELECT * FROM leads ORDER BY id');
  const byAccount = db.prepare<[string], Row>('SELECT * FROM leads WHERE account = ? ORDER BY id');
  const written = db
    .prepare<[string | null, string | null], string>(
      'SELECT listing_id FROM leads WHERE account = ? UNION SELECT listing_id FROM leads WHERE consumer = ?',
    )
    .pluck();
  return {
    add: (lead, withIt) =>
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
          withIt(row);
          return row;
        })
        .immediate(),
    all: () => select.all().map(toLead),
    ofAccount: (account) => byAccount.all(account).map(toLead),
    listingIds: ({ account, consumer }) => new Set(written.all(account ?? null, consumer ?? null)),
  };
}
