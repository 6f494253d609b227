import { randomUUID } from 'node:crypto';
import type { Db } from '../store/database.ts';
import type { Deal } from '../http/callTypes.ts';

export type SavedDeal = Deal & { readonly id: string };

export interface DealStore {
  /** Under a new id, or the given one: a repeat with it is the same deal. */
  add(deal: Deal, id?: string): SavedDeal;
  /** Undefined when there is no such deal. */
  replace(id: string, deal: Deal): SavedDeal | undefined;
}

export function createDealStore(db: Db, now: () => number = Date.now): DealStore {
  const insert = db.prepare(
    `INSERT INTO deals (id, body, created_at, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  );
  const update = db.prepare('UPDATE deals SET body = ?, updated_at = ? WHERE id = ?');
  return {
    add(deal, id = randomUUID()) {
      insert.run(id, JSON.stringify(deal), now(), now());
      return { ...deal, id };
    },
    replace: (id, deal) =>
      update.run(JSON.stringify(deal), now(), id).changes > 0 ? { ...deal, id } : undefined,
  };
}
