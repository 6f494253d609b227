import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs what a page sends back, to prove that the shell sent it. */
export interface Signer {
  /** The signature, as base64url. */
  readonly sign: (text: string) => string;
  /** Whether the signature is that of the text; compares in constant time. */
  readonly verify: (text: string, signature: string) => boolean;
}

/** Signs with a key derived from the secret, which all replicas share, for one purpose. */
export function createSigner(secret: string, purpose: string): Signer {
  // With bytes as the key, a signature would cost five times as much.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    verify(text, signature) {
      // Compares texts: base64url has several spellings of the same bytes.
      const received = Buffer.from(signature);
      const expected = Buffer.from(sign(text));
      return received.length === expected.length && timingSafeEqual(received, expected);
    },
  };
}
