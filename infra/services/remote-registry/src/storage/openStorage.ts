import type { RegistryConfig } from '../config.ts';
import { openFileStorage } from './fileStorage.ts';
import type { RegistryStorage } from './registryStorage.ts';

/** Opens the configured storage. The S3 client is loaded only where it is used: it costs a file registry nothing. */
export async function openStorage(config: RegistryConfig): Promise<RegistryStorage> {
  if (config.STORAGE === 'file') return openFileStorage(config.DATA_DIR);
  const { openS3Storage } = await import('./s3/s3Storage.ts');
  return openS3Storage({
    // The configuration was refused without one.
    bucket: config.S3_BUCKET ?? '',
    prefix: config.S3_PREFIX,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    isPathStyle: config.S3_PATH_STYLE,
  });
}
