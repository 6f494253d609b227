import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Db } from '../store/database.ts';
import { openDatabase } from '../store/database.ts';

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
