import type { Db } from '../store/database.ts';

/** Which listings came onto the market after others: each keeps the number under which it first came. */
export interface NewListings {
  /** Number of the newest listing, 0 without any. */
  newestRow(): number;
  /** Live listings that came after `row` up to `until`, in their order, at most `limit`; `lastRow` is how far that goes. */
  between(row: number, until: number, limit: number): { ids: string[]; lastRow: number };
}

export function createNewListings(db: Db): NewListings {
  const newest = db.prepare<[], number | null>('SELECT max(arrival) FROM listings').pluck();
  const between = db.prepare<[number, number, number], { arrival: number; id: string }>(
    `SELECT arrival, id FROM listings WHERE arrival > ? AND arrival <= ? AND removed_at IS NULL
     ORDER BY arrival LIMIT ?`,
  );
  return {
    newestRow: () => newest.get() ?? 0,
    between(row, until, limit) {
      const rows = between.all(row, until, limit);
      const lastRow = rows.length < limit ? until : rows.at(-1)!.arrival;
      return { ids: rows.map(({ id }) => id), lastRow };
    },
  };
}
