import { existsSync } from 'node:fs';
import { type Db, openDatabase } from '@forecourt/service-kit/database';
import type { Bucket } from '@forecourt/service-kit/bucket';
import type { Sql } from '@forecourt/service-kit/sql';
import type { PostgresOptions } from '@forecourt/service-kit/postgres';
import type { FileData } from '@forecourt/service-kit/start';
import { createSqliteSql } from '@forecourt/service-kit/sqlite';
import {
  ACTIVITY_OPTIONS,
  openActivityDatabase,
  openPeopleDatabase,
  PEOPLE_OPTIONS,
} from './community/index.ts';
import { activityPath, type Config, databasePath, peoplePath, photoFolder } from './config.ts';
import {
  createPhotoBucket,
  createPhotoFolder,
  type PhotoFiles,
  INVENTORY_OPTIONS,
  inventoryId,
  openInventory,
} from './inventory/index.ts';
import { createDealerPageBucket, createDealerPageFolder, type DealerPages } from './search/index.ts';

type StorageConfig = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

/** What people entered and did. */
export interface UserStorage {
  readonly people: Sql;
  readonly activity: Sql;
}

/** Schemas of a database that services may share, with the options of their tables. */
const SCHEMAS = {
  people: { schema: 'people', ...PEOPLE_OPTIONS },
  activity: { schema: 'activity', ...ACTIVITY_OPTIONS },
  // A crash must lose no change that an import was told of, or that a replica has read: its number would be given again.
  inventory: { schema: 'inventory', ...INVENTORY_OPTIONS, durability: 'full' },
} as const;

/** Opens what people entered: in PostgreSQL if it is configured, otherwise in a file, which is created and migrated. */
export async function openPeople(config: StorageConfig, onError?: (error: Error) => void): Promise<Sql> {
  const { DATABASE_URL: url } = config;
  if (url === undefined) return createSqliteSql(openPeopleDatabase(peoplePath(config), databasePath(config)));
  return openSchema(url, 'people', { onError });
}

async function openActivity(config: StorageConfig, onError: (error: Error) => void): Promise<Sql> {
  const { DATABASE_URL: url } = config;
  if (url === undefined) return createSqliteSql(openActivityDatabase(activityPath(config)));
  return openSchema(url, 'activity', { onError });
}

async function openSchema(
  url: string,
  name: keyof typeof SCHEMAS,
  { onError }: Pick<PostgresOptions, 'onError'>,
): Promise<Sql> {
  const { openPostgres } = await import('@forecourt/service-kit/postgres');
  return openPostgres({ url, ...SCHEMAS[name], onError });
}

/** Opens listings, sellers and their imports: in PostgreSQL, where all replicas have the same, or in a file. */
export async function openStock(config: StorageConfig, onError?: (error: Error) => void): Promise<Sql> {
  const { DATABASE_URL: url } = config;
  return url === undefined ? openInventory(databasePath(config)) : openSchema(url, 'inventory', { onError });
}

/** Calls `onTurn` after changes of the inventory in PostgreSQL, by the name of their turn. */
export async function listenToStock(
  url: string,
  turns: Readonly<Record<string, () => void>>,
  onError: (error: Error) => void,
): Promise<{ readonly close: () => Promise<void> }> {
  const { listenForTurns } = await import('@forecourt/service-kit/turnListener');
  const { schema } = SCHEMAS.inventory;
  return listenForTurns({ url, schema, turns, onError });
}

/** Opens both stores of users. Replicas on PostgreSQL don't create anything: `prepareStorage` runs before them. */
export async function openUserStorage(
  config: StorageConfig,
  onError: (error: Error) => void,
): Promise<UserStorage> {
  const people = await openPeople(config, onError);
  try {
    return { people, activity: await openActivity(config, onError) };
  } catch (error) {
    await people.close();
    throw error;
  }
}

/**
 * Creates or extends the tables in PostgreSQL, and returns the versions of the schemas. Throws if DATA_DIR has data of
 * users in files, and `fileData` doesn't say what to do with it.
 */
export async function prepareStorage(
  config: StorageConfig,
  fileData?: FileData,
): Promise<Readonly<Record<string, number>>> {
  const { DATABASE_URL: url } = config;
  if (url === undefined)
    throw new Error('DATABASE_URL is not set; files are migrated when the service starts');
  if (existsSync(peoplePath(config)) && fileData === undefined)
    throw new Error(
      `${peoplePath(config)} has data of users: copy it to PostgreSQL with --copy, or start without it with --empty`,
    );
  const { migratePostgres } = await import('@forecourt/service-kit/postgres');
  const versions: Record<string, number> = {};
  for (const options of Object.values(SCHEMAS))
    versions[options.schema] = await migratePostgres({ url, ...options });
  if (fileData === 'copy') await copyFiles(config);
  return versions;
}

/** Copies the files that are there; services that write them must be stopped. */
async function copyFiles(config: StorageConfig): Promise<void> {
  const users = await openUserStorage(config, () => undefined);
  const stock = await openStock(config);
  try {
    if (existsSync(peoplePath(config)))
      await copyFile(openPeopleDatabase(peoplePath(config), databasePath(config)), users.people);
    if (existsSync(activityPath(config)))
      await copyFile(openActivityDatabase(activityPath(config)), users.activity);
    if (existsSync(databasePath(config)))
      await stock.transaction(async () => {
        // What the migration has written.
        await stock.run('DELETE FROM meta');
        await copyFile(openDatabase(databasePath(config), INVENTORY_OPTIONS), stock, PASSING_TABLES);
      });
  } finally {
    await Promise.all([users.people.close(), users.activity.close(), stock.close()]);
  }
}

/** Of the inventory: earlier versions of a minute, and leads of an early release, which are with the users' data. */
const PASSING_TABLES = ['superseded', 'leads'];

async function copyFile(db: Db, target: Sql, except?: readonly string[]): Promise<void> {
  const { copyToPostgres } = await import('@forecourt/service-kit/copyToPostgres');
  try {
    await copyToPostgres(db, target, except);
  } finally {
    db.close();
  }
}

/** The configured storage of photos. */
export async function openPhotoFiles(config: Config, inventory: Sql): Promise<PhotoFiles> {
  const bucket = await openBucket(config);
  return bucket
    ? createPhotoBucket(bucket, await inventoryId(inventory))
    : createPhotoFolder(photoFolder(config));
}

/** The configured storage of pages that dealers wrote. */
export async function openDealerPages(config: Config): Promise<DealerPages> {
  const bucket = await openBucket(config);
  return bucket ? createDealerPageBucket(bucket) : createDealerPageFolder(config.DATA_DIR);
}

/** Loads the client of S3 only when it is used. */
async function openBucket({ BUCKET: options }: Config): Promise<Bucket | undefined> {
  if (options === undefined) return undefined;
  const { S3Bucket } = await import('@forecourt/service-kit/bucket');
  return new S3Bucket(options);
}
