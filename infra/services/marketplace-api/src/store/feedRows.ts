import type { Db } from '@forecourt/durable/database';
import type { KnownRow, KnownRows } from '../domain/feedRow.ts';

interface Stored {
  readonly listingId: string;
  readonly ownerId: string;
  /** JSON of the rest of the hash and the outcome. */
  readonly outcome: string;
}

type Outcome = Omit<KnownRow, 'listingId' | 'ownerId'>;

/** Bytes of a hash in the key, which fit an integer of JavaScript; the others are compared. */
const KEY_BYTES = 6;
const keyOf = (rowHash: Buffer): number => rowHash.readUIntBE(0, KEY_BYTES);
const restOf = (rowHash: Buffer): string => rowHash.toString('base64', KEY_BYTES);

/** The columns of a listing that was imported from a row. */
export const rowColumns = (rowHash: Buffer, { listingId: _, ownerId: __, ...outcome }: KnownRow) =>
  [keyOf(rowHash), JSON.stringify([restOf(rowHash), outcome])] as const;

/** The rows from which the listings for sale were imported last. */
export function createFeedRows(db: Db): KnownRows {
  const find = db.prepare<[number], Stored>(
    `SELECT id AS listingId, owner_id AS ownerId, row_outcome AS outcome
     FROM listings WHERE row_key = ? AND removed_at IS NULL`,
  );
  const hasRows = db.prepare('SELECT 1 FROM listings WHERE row_key IS NOT NULL LIMIT 1').get() !== undefined;
  return {
    find(rowHash) {
      // A first import need not look.
      const row = hasRows ? find.get(keyOf(rowHash)) : undefined;
      if (!row) return undefined;
      const [rest, outcome] = JSON.parse(row.outcome) as [string, Outcome];
      return rest === restOf(rowHash)
        ? { listingId: row.listingId, ownerId: row.ownerId, ...outcome }
        : undefined;
    },
  };
}
