import { randomUUID } from 'node:crypto';
import type { RegistryStorage } from '../../ports.ts';
import { Bucket, type S3Options } from './bucket.ts';
import { S3PointerStore } from './s3PointerStore.ts';
import { S3ReleaseStore } from './s3ReleaseStore.ts';

/** Throws if the server ignores the conditions of writes, on which all consistency depends. */
async function verifyConditionalWrites(bucket: Bucket): Promise<void> {
  const key = `probes/${randomUUID()}`;
  try {
    const isFirst = await bucket.write(key, 'first', { ifAbsent: true });
    const isSecond = await bucket.write(key, 'second', { ifAbsent: true });
    const isWrong = await bucket.write(key, 'third', { ifEtag: '00000000000000000000000000000000' });
    const etag = (await bucket.read(key))?.etag ?? '';
    const isRight = await bucket.write(key, 'fourth', { ifEtag: etag });
    if (isFirst && !isSecond && !isWrong && isRight) return;
  } finally {
    await bucket.remove(key);
  }
  throw new Error(
    `remote-registry: ${bucket.urlOf('')} does not honor If-None-Match and If-Match of writes; use another server, or STORAGE=file`,
  );
}

/** Opens the registry's objects below `options.prefix`, which any number of registries may share. */
export async function openS3Storage(options: S3Options): Promise<RegistryStorage> {
  const bucket = new Bucket(options);
  await verifyConditionalWrites(bucket);
  const releases = new S3ReleaseStore(bucket);
  await releases.sweep();
  return { releases, pointers: new S3PointerStore(bucket), isShared: true };
}
