import { z } from 'zod';
import { type ScryptOptions, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BRANDS } from '@forecourt/search/brands';

/** Capitals and spaces make a password no rarer. */
const wordOf = (text: string): string => text.toLowerCase().replaceAll(' ', '');

export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 200;

/** Comments begin with '# '. */
const COMMON = new Set([
  ...readFileSync(join(import.meta.dirname, 'commonPasswords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^#(?: |$)/.test(line)),
  // What the site is called.
  ...Object.values(BRANDS).flatMap(({ name }) => [name, ...name.split(' ')].map(wordOf)),
]);
/** People lengthen a common password by digits and signs. */
const ENDS = /^[^\p{L}]+|[^\p{L}]+$/gu;
function isCommon(password: string): boolean {
  const word = wordOf(password);
  return COMMON.has(word) || COMMON.has(word.replace(ENDS, ''));
}
const isRepeated = (text: string) => /^(.{1,3})\1+$/u.test(text);

const email = z
  .string()
  .trim()
  .min(1, 'Enter your email address')
  .max(254, 'Enter a valid email address')
  .pipe(z.email('Enter a valid email address'));

const newPassword = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters`)
  .refine(
    (text) => !isCommon(text) && !isRepeated(text),
    'This password is too easy to guess. Choose a different one',
  );

/** Sign-in does not validate the password's strength: that would reveal something about stored passwords. */
export const signInSchema = z.object({
  email,
  password: z.string().min(1, 'Enter your password').max(PASSWORD_MAX, 'Enter your password'),
});

export const signUpSchema = z
  .object({
    name: z
      .string()
      .transform((text) => text.replace(/[\p{C}\s]+/gu, ' ').trim())
      .pipe(z.string().min(1, 'Enter your name').max(80, 'At most 80 characters')),
    email,
    password: newPassword,
  })
  .refine(({ email: address, password }) => !password.toLowerCase().includes(address.toLowerCase()), {
    path: ['password'],
    message: 'Your password must not contain your email address',
  });

export const forgotSchema = z.object({ email });

export const newPasswordSchema = z.object({ password: newPassword });

export const changePasswordSchema = z.object({
  current: z.string().min(1, 'Enter your current password').max(PASSWORD_MAX, 'Enter your current password'),
  password: newPassword,
});

export const deleteAccountSchema = changePasswordSchema.pick({ current: true });

export type FieldErrors = Readonly<Record<string, string>>;

/** First error of each field. */
export const fieldErrors = ({ issues }: z.ZodError): FieldErrors =>
  Object.fromEntries(
    [...issues].reverse().map(({ path, message }) => [String(path[0] ?? 'form'), message] as const),
  );

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
