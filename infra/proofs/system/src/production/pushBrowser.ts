import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Salt, size of records and length of the key's id (RFC 8188, 2.1). */
const HEADER_BYTES = SALT_BYTES + 5;
/** Ends the last record, in front of its padding. */
const LAST_RECORD = 2;

interface PushKeys {
  readonly privateKey: Buffer;
  readonly auth: Buffer;
}

/** A browser with permission to show notifications. */
export interface PushBrowser {
  /** What it gives to a site. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The text of a message that its push service received. @throws Error unless it was encrypted for this browser */
  readonly decrypt: (body: Buffer) => string;
}

const expand = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** Decrypts messages as a browser does (RFC 8291, 3.4). */
export function createPushBrowser(
  { privateKey, auth }: PushKeys = { privateKey: randomBytes(32), auth: randomBytes(16) },
): PushBrowser {
  const browser = createECDH('prime256v1');
  browser.setPrivateKey(privateKey);
  const publicKey = browser.getPublicKey();
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body) {
      const salt = body.subarray(0, SALT_BYTES);
      const start = HEADER_BYTES + body[HEADER_BYTES - 1]!;
      const senderKey = body.subarray(HEADER_BYTES, start);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const secret = expand(browser.computeSecret(senderKey), auth, info, 32);
      const key = expand(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
      const nonce = expand(secret, salt, 'Content-Encoding: nonce\0', 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(body.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(body.subarray(start, -TAG_BYTES)), decipher.final()]);
      const end = text.lastIndexOf(LAST_RECORD);
      if (end < 0 || text.subarray(end + 1).some((byte) => byte !== 0))
        throw new Error('the message is not a single record');
      return text.toString('utf8', 0, end);
    },
  };
}
