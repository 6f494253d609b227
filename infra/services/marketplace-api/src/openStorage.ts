import { existsSync } from 'node:fs';
import type { Db } from '@forecourt/service-kit/database';
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
  inventoryId,
  createSharedStock,
  readStockLog,
  type SharedStock,
  type StockLog,
  STOCK_OPTIONS,
} from './inventory/index.ts';

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
  stock: { schema: 'stock', ...STOCK_OPTIONS },
} as const;

/** One process sends and receives one batch at a time. */
const STOCK_CONNECTIONS = 2;

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
  { onError, maxConnections }: Pick<PostgresOptions, 'onError' | 'maxConnections'>,
): Promise<Sql> {
  const { openPostgres } = await import('@forecourt/service-kit/postgres');
  return openPostgres({ url, ...SCHEMAS[name], maxConnections, onError });
}

/** Of replicas on PostgreSQL: what makes their inventories the same. */
export interface StockOfReplicas extends SharedStock {
  /** For the index that they share. */
  readonly log: () => Promise<StockLog>;
  readonly close: () => Promise<void>;
}

/** Undefined without PostgreSQL: then there is one inventory. */
export async function openSharedStock(
  config: StorageConfig,
  inventory: Db,
  onError?: (error: Error) => void,
): Promise<StockOfReplicas | undefined> {
  const { DATABASE_URL: url } = config;
  if (url === undefined) return undefined;
  const sql = await openSchema(url, 'stock', { onError, maxConnections: STOCK_CONNECTIONS });
  return { ...createSharedStock(inventory, sql), log: () => readStockLog(sql), close: sql.close };
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

/** Copies both files; the service that writes them must be stopped. */
async function copyFiles(config: StorageConfig): Promise<void> {
  const { copyToPostgres } = await import('@forecourt/service-kit/copyToPostgres');
  const target = await openUserStorage(config, () => undefined);
  const people = openPeopleDatabase(peoplePath(config), databasePath(config));
  const activity = openActivityDatabase(activityPath(config));
  try {
    await copyToPostgres(people, target.people);
    await copyToPostgres(activity, target.activity);
  } finally {
    people.close();
    activity.close();
    await target.people.close();
    await target.activity.close();
  }
}

/** The configured storage of photos. Loads the client of S3 only when it is used. */
export async function openPhotoFiles(config: Config, inventory: Db): Promise<PhotoFiles> {
  if (config.BUCKET === undefined) return createPhotoFolder(photoFolder(config));
  const { S3Bucket } = await import('@forecourt/service-kit/bucket');
  return createPhotoBucket(new S3Bucket(config.BUCKET), inventoryId(inventory));
}
