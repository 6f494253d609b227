import type { Db } from '../store/database.ts';

export interface Lead {
  readonly idempotencyKey: string;
  readonly kind: 'email-owner';
  readonly listingId: string;
  readonly ownerId: string;
  /** What the person wrote. */
  readonly body: Readonly<Record<string, string>>;
}

export interface StoredLead extends Lead {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface LeadStore {
  /**
   * Stores a lead once, however often it is sent; false for a repeat. When it
   * returns the lead is on the disk: `db` was opened with full durability.
   */
  add(lead: Lead): boolean;
  all(): StoredLead[];
}

interface Row {
  readonly id: number;
  readonly idempotency_key: string;
  readonly kind: 'email-owner';
  readonly listing_id: string;
  readonly owner_id: string;
  readonly received_at: number;
  readonly body: string;
}

export function createLeadStore(db: Db, now: () => number = Date.now): LeadStore {
  const insert = db.prepare(
    `INSERT INTO leads (idempotency_key, kind, listing_id, owner_id, received_at, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (idempotency_key) DO NOTHING`,
  );
  const select = db.prepare<[], Row>('SELECT * FROM leads ORDER BY id');
  return {
    add: ({ idempotencyKey, kind, listingId, ownerId, body }) =>
      insert.run(idempotencyKey, kind, listingId, ownerId, now(), JSON.stringify(body)).changes > 0,
    all: () =>
      select.all().map((row) => ({
        id: row.id,
        idempotencyKey: row.idempotency_key,
        kind: row.kind,
        listingId: row.listing_id,
        ownerId: row.owner_id,
        receivedAt: row.received_at,
        body: JSON.parse(row.body) as Record<string, string>,
      })),
  };
}
