import { createHash } from 'node:crypto';

/** Subresource Integrity of uncompressed bytes, as in manifests. */
export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
