import { z } from 'zod';

export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 200;

/** Common passwords that pass the length check. */
const COMMON = new Set(
  [
    'password12 password123 password1234 passw0rd123 1234567890 12345678910 0123456789 0987654321 9876543210',
    'qwertyuiop qwerty12345 qwertyuiop1 1q2w3e4r5t 1qaz2wsx3edc asdfghjkl1 iloveyou12 iloveyou123 letmein123',
    'welcome123 welcome1234 administrator changeme123 football123 baseball123 superman123 princess123 sunshine123',
  ]
    .join(' ')
    .split(' '),
);
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
    (text) => !COMMON.has(text.toLowerCase()) && !isRepeated(text),
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

export type FieldErrors = Readonly<Record<string, string>>;

/** First error of each field. */
export const fieldErrors = ({ issues }: z.ZodError): FieldErrors =>
  Object.fromEntries(
    [...issues].reverse().map(({ path, message }) => [String(path[0] ?? 'form'), message] as const),
  );
