/**
 * The same bytes in memory of their own, for those that are kept. Node cuts a Buffer of less than 32 KiB out of a slab of
 * 64 KiB (`Buffer.poolSize`), which stays as long as any part of it: 600 kept pages of 20 kB would take twice their size.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
