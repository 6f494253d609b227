import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const keysSchema = z.object({
  /** Signs tokens; the first key signs, all verify. */
  jwks: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })).min(1),
  /** Signs cookies and forms; the first signs, all verify. */
  cookieKeys: z.array(z.string().min(32)).min(1),
});
export type Keys = z.infer<typeof keysSchema>;

export const makeKeys = (): Keys => ({
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
 * The service's keys, made on the first start and kept, for the process's own
 * user alone, in `identity-keys.json`. Of two processes that start together
 * both get the same. Throws for a file that holds none.
 */
export function readOrMakeKeys(directory: string): Keys {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'identity-keys.json');
  const draft = `${file}.${process.pid}`;
  const read = () => keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, JSON.stringify(makeKeys()), { mode: 0o600, flush: true });
  try {
    // A link appears whole or not at all, and fails where another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}
