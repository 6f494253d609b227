import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { afterAll, beforeAll, it } from '@jest/globals';
import { INVENTORY_OPTIONS, openInventory } from '../inventoryTables.ts';

/** An empty inventory that several processes use. */
interface TestStock {
  /** A connection of one of them. */
  readonly connect: () => Promise<Sql>;
  readonly close: () => Promise<void>;
}

const bin = findPostgres();
let server: PostgresServer | undefined;
let schemas = 0;
beforeAll(async () => {
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(() => server?.stop());
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

function inFile(): Promise<TestStock> {
  const folder = mkdtempSync(join(tmpdir(), 'inventory-'));
  const opened: Sql[] = [];
  return Promise.resolve({
    connect() {
      const sql = openInventory(join(folder, 'marketplace.sqlite'));
      opened.push(sql);
      return Promise.resolve(sql);
    },
    async close() {
      await Promise.all(opened.map((sql) => sql.close()));
      rmSync(folder, { recursive: true });
    },
  });
}

async function inPostgres(): Promise<TestStock> {
  const schema = `inventory_${(schemas += 1)}`;
  const options = { url: server!.url, schema, maxConnections: 2, ...INVENTORY_OPTIONS };
  await migratePostgres(options);
  const opened: Sql[] = [];
  return {
    async connect() {
      const sql = await openPostgres(options);
      opened.push(sql);
      return sql;
    },
    async close() {
      await opened[0]?.run(`DROP SCHEMA ${schema} CASCADE`);
      await Promise.all(opened.map((sql) => sql.close()));
    },
  };
}

/** Where the inventory can be: each test of it runs over all of them. */
export const engines: readonly (readonly [name: string, open: () => Promise<TestStock>])[] = [
  ['SQLite', inFile],
  ...(bin ? ([['PostgreSQL', inPostgres]] as const) : []),
];
