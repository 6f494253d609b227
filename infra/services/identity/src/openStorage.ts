import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyToPostgres } from '@forecourt/service-kit/copyToPostgres';
import { openDatabase } from '@forecourt/service-kit/database';
import type { Sql } from '@forecourt/service-kit/sql';
import type { FileData } from '@forecourt/service-kit/start';
import type { Config } from './config.ts';
import { type Keys, readKeys, readOrCreateKeys } from './oidc/storage.ts';
import { MIGRATIONS, openFile } from './store/accountStore.ts';

type StorageConfig = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

/** Tables of the service in a shared database. */
const SCHEMA = 'identity';

const postgresOptions = (url: string) => ({
  url,
  schema: SCHEMA,
  migrations: MIGRATIONS,
});

/**
 * Opens PostgreSQL if it is configured, otherwise a file in DATA_DIR, and reads the keys. Replicas on PostgreSQL don't
 * create anything: `prepareStorage` runs before them.
 */
export async function openStorage(
  config: StorageConfig,
  onError: (error: Error) => void,
): Promise<{ sql: Sql; keys: Keys }> {
  const { DATABASE_URL: url, DATA_DIR } = config;
  if (url === undefined) return { keys: readOrCreateKeys(DATA_DIR), sql: openFile(join(DATA_DIR, FILE)) };
  const keys = readKeys(DATA_DIR);
  const { openPostgres } = await import('@forecourt/service-kit/postgres');
  return { keys, sql: await openPostgres({ ...postgresOptions(url), onError }) };
}

const FILE = 'identity.sqlite';

/**
 * Creates or extends the tables in PostgreSQL, and creates the keys if they are missing. Returns the schema's version.
 * Throws if DATA_DIR has accounts in a file, and `fileData` doesn't say whether they are left behind or copied.
 */
export async function prepareStorage(config: StorageConfig, fileData?: FileData): Promise<number> {
  const { DATABASE_URL: url, DATA_DIR } = config;
  if (url === undefined)
    throw new Error('DATABASE_URL is not set; files are migrated when the service starts');
  const path = join(DATA_DIR, FILE);
  if (existsSync(path) && fileData === undefined)
    throw new Error(
      `DATA_DIR has accounts in ${FILE}: copy them to PostgreSQL with --copy, or start without them with --empty`,
    );
  const { migratePostgres } = await import('@forecourt/service-kit/postgres');
  const version = await migratePostgres(postgresOptions(url));
  if (fileData === 'copy') await copyAccounts(path, postgresOptions(url));
  readOrCreateKeys(DATA_DIR);
  return version;
}

/** Copies all rows of the file; the service that writes it must be stopped. */
async function copyAccounts(path: string, options: ReturnType<typeof postgresOptions>): Promise<void> {
  const { openPostgres } = await import('@forecourt/service-kit/postgres');
  const sql = await openPostgres(options);
  const db = openDatabase(path, { durability: 'full', migrations: MIGRATIONS });
  try {
    await copyToPostgres(db, sql);
  } finally {
    db.close();
    await sql.close();
  }
}
