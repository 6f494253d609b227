import { resolve } from 'node:path';
import { SMTP_TLS } from '@forecourt/service-kit/mail';
import { logLevel, origin, readEnvironment } from '@forecourt/service-kit/configuration';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

/** All configuration keys; the table in the repository's README lists them too. */
const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1'),
    IDENTITY_PORT: z.coerce.number().int().min(0).max(65_535).default(4200),
    /** Issuer URL as browsers and services reach it. Default: localhost at its port. */
    OIDC_ISSUER: origin.optional(),
    OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell'),
    /** Optional in local mode, where PKCE alone authenticates the shell. */
    OIDC_CLIENT_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
    /** Origins of the shells that may send visitors here, comma-separated. */
    OIDC_CLIENT_ORIGINS: z
      .string()
      .default('http://localhost:3000,http://127.0.0.1:3000')
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(origin).min(1)),
    /** Where the shells receive logout tokens, as this service reaches them. Default: at the first of OIDC_CLIENT_ORIGINS. */
    OIDC_LOGOUT_URI: z.url({ protocol: /^https?$/ }).optional(),
    /** Secret of the registry's control room; outside local mode, it cannot sign people in here without one. */
    OIDC_ROOM_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
    /** Origins of registries whose control rooms may send people here, comma-separated. */
    OIDC_ROOM_ORIGINS: z
      .string()
      .default('http://localhost:4100,http://127.0.0.1:4100')
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(origin).min(1)),
    /** Relative to the repository root. */
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => resolve(REPOSITORY, path)),
    /** PostgreSQL instead of a file in DATA_DIR: replicas share it. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Connections to PostgreSQL per process. */
    DATABASE_CONNECTIONS: z.coerce.number().int().min(1).default(10),
    /** Number of trusted proxies in front. */
    TRUST_PROXY: z.coerce.number().int().min(0).default(0),
    /** Optional in local mode, where `/outbox` shows the mails instead. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Default: `required` outside local mode. */
    SMTP_TLS: z.enum(SMTP_TLS).optional(),
    MAIL_FROM: z.string().min(3).default('Forecourt <no-reply@forecourt.example>'),
    LOG_LEVEL: logLevel,
    /** For development: no client secret, plain http, mails in `/outbox`, and generous rate limits. */
    LOCAL_MODE: z.stringbool().default(false),
    ...tracingKeys,
  })
  .superRefine(({ LOCAL_MODE, OIDC_CLIENT_SECRET, OIDC_ISSUER, SMTP_URL, DATABASE_URL }, context) => {
    if (LOCAL_MODE) return;
    if (OIDC_CLIENT_SECRET === undefined)
      context.addIssue({
        code: 'custom',
        path: ['OIDC_CLIENT_SECRET'],
        message: 'is required outside local mode',
      });
    if (DATABASE_URL !== undefined && !isPrivateConnection(DATABASE_URL))
      context.addIssue({
        code: 'custom',
        path: ['DATABASE_URL'],
        message: 'must have sslmode=verify-full unless the server is on this machine',
      });
    if (SMTP_URL === undefined)
      context.addIssue({
        code: 'custom',
        path: ['SMTP_URL'],
        message: 'is required outside local mode: accounts are confirmed by mail',
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
    SMTP_TLS: config.SMTP_TLS ?? (config.LOCAL_MODE ? 'opportunistic' : 'required'),
    OIDC_ISSUER: config.OIDC_ISSUER ?? `http://localhost:${config.IDENTITY_PORT}`,
    OIDC_LOGOUT_URI: config.OIDC_LOGOUT_URI ?? `${config.OIDC_CLIENT_ORIGINS[0]}/account/back-channel-logout`,
  }));
export type Config = z.infer<typeof configSchema>;

/** @throws Error of one line that names every invalid key */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config =>
  readEnvironment(configSchema, environment);
