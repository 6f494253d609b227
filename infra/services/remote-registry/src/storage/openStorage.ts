import { join } from 'node:path';
import type { RegistryConfig } from '../config.ts';
import type { RegistryStorage } from '../ports.ts';
import { FileAccessStore } from './fileAccessStore.ts';
import { FileLogStore } from './fileLogStore.ts';
import { FilePointerStore } from './filePointerStore.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';

/** Opens the configured storage. Loads the S3 client only when it is used. */
export async function openStorage(config: RegistryConfig): Promise<RegistryStorage> {
  if (config.STORAGE === 'file') return openFileStorage(config.DATA_DIR);
  const { openS3Storage } = await import('./s3/s3Storage.ts');
  return openS3Storage({
    // The configuration schema requires it.
    bucket: config.S3_BUCKET ?? '',
    prefix: config.S3_PREFIX,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    isPathStyle: config.S3_PATH_STYLE,
  });
}

/** Opens the registry's files in `{dataDir}/registry`, creating them if missing. */
export async function openFileStorage(dataDir: string): Promise<RegistryStorage> {
  const root = join(dataDir, 'registry');
  return {
    releases: await FileReleaseStore.open(root),
    pointers: await FilePointerStore.open(root),
    access: await FileAccessStore.open(root),
    log: await FileLogStore.open(root),
    isShared: false,
  };
}
