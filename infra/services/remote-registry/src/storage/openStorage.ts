import { join } from 'node:path';
import type { Bucket } from '@forecourt/service-kit/bucket';
import { createSqliteSql, type Db, openDatabase } from '@forecourt/service-kit/database';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import type { PostgresOptions } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import type { RegistryConfig } from '../config.ts';
import type { RegistryStorage } from '../ports.ts';
import { BucketReleaseStore } from './bucketReleaseStore.ts';
import { SqlAccessStore, SqlLogStore, SqlPointerStore } from './sqlRecords.ts';
import { takeOver } from './takeOver.ts';

/** A database that registries may share with other services. */
export type DatabaseOptions = Pick<PostgresOptions, 'url' | 'maxConnections' | 'onError'>;

/** Folder of the numbered SQL files, for both databases. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations');
export const SCHEMA = { schema: 'registry', migrations: MIGRATIONS };

/** The registry's part of a data folder. */
export const registryFolder = (dataDir: string): string => join(dataDir, 'registry');
export const DATABASE_FILE = 'registry.sqlite';

/** Creates or extends the tables in a file, whose commits are on disk when they return. */
export const openDatabaseFile = (dataDir: string): Db =>
  openDatabase(join(registryFolder(dataDir), DATABASE_FILE), { durability: 'full', migrations: MIGRATIONS });

export type BucketConfig = Pick<RegistryConfig, 'DATA_DIR' | 'BUCKET'>;

/** The bucket of releases' files: S3 if it is configured, otherwise a folder. Loads the client of S3 only when it is used. */
export async function openBucket(config: BucketConfig): Promise<Bucket> {
  if (config.BUCKET === undefined) return FolderBucket.open(registryFolder(config.DATA_DIR));
  const { S3Bucket } = await import('@forecourt/service-kit/bucket');
  return new S3Bucket(config.BUCKET);
}

async function storageIn(
  sql: Sql,
  bucket: Bucket,
  { isShared }: Pick<RegistryStorage, 'isShared'>,
): Promise<RegistryStorage> {
  const releases = new BucketReleaseStore(sql, bucket);
  // A folder may hold the files of a registry with a database of its own, too.
  if (!isShared || !(bucket instanceof FolderBucket)) await releases.sweep();
  return {
    releases,
    pointers: new SqlPointerStore(sql),
    access: new SqlAccessStore(sql),
    log: new SqlLogStore(sql),
    isShared,
    close: sql.close,
  };
}

/** Opens the database in the data folder, and takes over what an earlier version stored in the bucket. */
export async function openDatabaseIn(dataDir: string, bucket: Bucket): Promise<RegistryStorage> {
  const sql = createSqliteSql(openDatabaseFile(dataDir));
  try {
    await takeOver(sql, bucket);
    return await storageIn(sql, bucket, { isShared: false });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** Opens the registry's data in `{dataDir}/registry`, creating it if missing. */
export const openLocalStorage = async (dataDir: string): Promise<RegistryStorage> =>
  openDatabaseIn(dataDir, await FolderBucket.open(registryFolder(dataDir)));

/** Opens migrated tables and a bucket, which any number of registries may share. */
export async function openSharedStorage(options: DatabaseOptions, bucket: Bucket): Promise<RegistryStorage> {
  const { openPostgres } = await import('@forecourt/service-kit/postgres');
  const sql = await openPostgres({ ...options, ...SCHEMA });
  try {
    return await storageIn(sql, bucket, { isShared: true });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** Opens PostgreSQL if it is configured, otherwise a file in DATA_DIR. */
export async function openStorage(
  config: RegistryConfig,
  onError: (error: Error) => void,
): Promise<RegistryStorage> {
  const bucket = await openBucket(config);
  const { DATABASE_URL: url, DATA_DIR } = config;
  return url === undefined ? openDatabaseIn(DATA_DIR, bucket) : openSharedStorage({ url, onError }, bucket);
}
