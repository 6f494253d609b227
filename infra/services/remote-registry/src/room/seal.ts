import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { z } from 'zod';

/** Encrypts what the room stores in browsers. The key is derived from `secret`, or new per start without one. */
export function createSeal(secret: string | undefined) {
  const key = new Uint8Array(
    hkdfSync('sha256', secret ?? randomBytes(32), '', 'sessions of the control room', 32),
  );
  return {
    seal: (content: object, seconds: number): Promise<string> =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${seconds}s`)
        .encrypt(key),
    /** The content of the cookie `name`; undefined if it is missing, expired, of another key, or forged. */
    unseal: async <T>(
      cookies: string | undefined,
      name: string,
      schema: z.ZodType<T>,
    ): Promise<T | undefined> => {
      const sealed = cookies?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
      if (sealed === undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt(sealed.slice(name.length + 1), key);
        return schema.parse(payload['content']);
      } catch {
        return undefined;
      }
    },
  };
}
