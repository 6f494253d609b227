import { resolve } from 'node:path';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => new URL(url).href === `${new URL(url).origin}/`, 'must be an origin, without path or user')
  .transform((url) => new URL(url).origin);

/** Every key the service reads; the README's table says the same. */
export const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1'),
    IDENTITY_PORT: z.coerce.number().int().min(0).max(65_535).default(4200),
    /** Name of the issuer: what browsers and services reach it by. Default: localhost at its port. */
    OIDC_ISSUER: origin.optional(),
    OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell'),
    /** Without one, in local mode, the shell proves itself by PKCE alone. */
    OIDC_CLIENT_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
    /** Origins of the shells which may send visitors here, comma-separated. */
    OIDC_CLIENT_ORIGINS: z
      .string()
      .default('http://localhost:3000,http://127.0.0.1:3000')
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(origin).min(1)),
    /** Relative paths start at the repository. */
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => resolve(REPOSITORY, path)),
    /** Hops of trusted proxies in front. */
    TRUST_PROXY: z.coerce.number().int().min(0).default(0),
    /** Without one, in local mode, mails stay in `/outbox`. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z.string().min(3).default('Forecourt <no-reply@forecourt.example>'),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    /** For one's own machine: a shell without a secret, plain http, mails that stay here, and wide rate limits. */
    LOCAL_MODE: z.stringbool().default(false),
  })
  .superRefine(({ LOCAL_MODE, OIDC_CLIENT_SECRET, OIDC_ISSUER, SMTP_URL }, context) => {
    if (LOCAL_MODE) return;
    if (OIDC_CLIENT_SECRET === undefined)
      context.addIssue({
        code: 'custom',
        path: ['OIDC_CLIENT_SECRET'],
        message: 'is needed outside local mode',
      });
    if (SMTP_URL === undefined)
      context.addIssue({
        code: 'custom',
        path: ['SMTP_URL'],
        message: 'is needed outside local mode: accounts are confirmed by mail',
      });
    if (!OIDC_ISSUER?.startsWith('https:'))
      context.addIssue({
        code: 'custom',
        path: ['OIDC_ISSUER'],
        message: 'must be an https origin outside local mode',
      });
  })
  .transform((config) => ({
    ...config,
    OIDC_ISSUER: config.OIDC_ISSUER ?? `http://localhost:${config.IDENTITY_PORT}`,
  }));
export type Config = z.infer<typeof configSchema>;

/** Parses the environment; empty values are none. Throws one line that names every wrong key. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = configSchema.safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Wrong configuration. ${problems.join('; ')}`);
}
