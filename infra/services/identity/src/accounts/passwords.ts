import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's scrypt parameters for 16 MiB: N = 2^14, r = 8, p = 5. */
const COST = { ln: 14, r: 8, p: 5 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const options = (ln: number, r: number, p: number): ScryptOptions => ({
  N: 2 ** ln,
  r,
  p,
  maxmem: 256 * 2 ** ln * r,
});
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
/** Keyboards compose the same letters differently (NIST SP 800-63B 3.1.1.2). */
const normalized = (password: string) => password.normalize('NFKC');

/** '$scrypt$ln=14,r=8,p=5$salt$hash': the parameters are stored, so that they can be raised later. Takes about 0.1 s of CPU. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { ln, r, p } = COST;
  const key = await derive(normalized(password), salt, KEY_BYTES, options(ln, r, p));
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`;
}

/** Compared when there is no account, so that the timing is the same. */
const DUMMY_HASH = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(KEY_BYTES))}`;

/**
 * Does the password match the hash? Without a hash: false, after the same
 * time. Throws for an unknown hash format.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parts = FORMAT.exec(hash ?? DUMMY_HASH);
  if (!parts) throw new Error('the stored password hash has an unknown format');
  const [, ln, r, p, salt = '', key = ''] = parts;
  const expected = Buffer.from(key, 'base64');
  const derived = await derive(
    normalized(password),
    Buffer.from(salt, 'base64'),
    expected.length,
    options(Number(ln), Number(r), Number(p)),
  );
  return timingSafeEqual(derived, expected) && hash !== undefined;
}
