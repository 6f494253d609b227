import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const keysSchema = z.object({
  /** Token keys: the first one signs, all verify. */
  jwks: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })).min(1),
  /** Cookie and form keys: the first one signs, all verify. */
  cookieKeys: z.array(z.string().min(32)).min(1),
});
export type Keys = z.infer<typeof keysSchema>;

export const generateKeys = (): Keys => ({
  jwks: [
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kty: 'EC',
      kid: randomBytes(8).toString('hex'),
      alg: 'ES256',
      use: 'sig',
    },
  ],
  cookieKeys: [randomBytes(32).toString('base64url')],
});

/**
 * Reads the keys from `identity-keys.json`, or generates them on the first
 * start. The file is readable by the process's user only. Processes that start
 * at the same time get the same keys. Throws when the file is invalid.
 */
export function readOrCreateKeys(directory: string): Keys {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'identity-keys.json');
  const draft = `${file}.${process.pid}`;
  const read = () => keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, JSON.stringify(generateKeys()), { mode: 0o600, flush: true });
  try {
    // Linking is atomic, and fails when another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}
