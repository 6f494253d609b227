import { resolve } from 'node:path';
import {
  databaseUrl,
  json,
  logLevel,
  origin,
  readEnvironment,
  smtpUrl,
} from '@forecourt/service-kit/configuration';
import { issuerUrl } from '@forecourt/service-kit/issuerUrl';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

const clientSchema = z.strictObject({
  id: z.string().min(1),
  /** Without one, PKCE alone authenticates the client. */
  secret: z.string().min(32, 'must have 32 characters or more').optional(),
  /** Where it may send people back to. */
  origins: z.array(origin).min(1),
});

const LOCAL_SHELL = {
  id: 'forecourt-shell',
  origins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
};
const LOCAL_ROOM = { id: 'forecourt-room', origins: ['http://localhost:4100', 'http://127.0.0.1:4100'] };

const clientsSchema = z.strictObject({
  /** The shells. Emails link to the first origin. */
  shell: clientSchema
    .extend({
      id: clientSchema.shape.id.default(LOCAL_SHELL.id),
      origins: clientSchema.shape.origins.default(LOCAL_SHELL.origins),
      /** Where they receive logout tokens, as this service reaches them. */
      logoutUri: z.url({ protocol: /^https?$/ }).optional(),
    })
    .prefault({})
    .transform(({ logoutUri, ...shell }) => ({
      ...shell,
      logoutUri: logoutUri ?? `${shell.origins[0]}/account/back-channel-logout`,
    })),
  /** The control rooms of registries. Outside local mode, only one with a secret signs people in here. */
  room: clientSchema
    .extend({
      id: clientSchema.shape.id.default(LOCAL_ROOM.id),
      origins: clientSchema.shape.origins.default(LOCAL_ROOM.origins),
    })
    .prefault({}),
});

/**
 * All keys of the environment.
 * @public Read by the check of the README's table.
 */
export const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
    IDENTITY_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(4200)
      .describe('port; `0` takes a free one'),
    OIDC_ISSUER: issuerUrl
      // Tokens name it as it is written here, and the other services compare it as text.
      .refine(
        (url) => new URL(url).origin === url,
        'must be an origin in lower case, without a path or a slash at its end',
      )
      .optional()
      .meta({
        description:
          'identifier of the issuer: its URL, as browsers and services reach it; https outside local mode',
        default: '`http://localhost:` and the port',
      }),
    OIDC_CLIENTS: json.prefault('{}').pipe(clientsSchema).meta({
      description:
        'JSON `{"shell": {…}, "room": {…}}`, see [Clients](#clients): who may send people here; in local mode programs on this machine need no entry',
      default: 'the shell and the control room at localhost',
    }),
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => resolve(REPOSITORY, path))
      .meta({
        description: 'folder of `identity.sqlite` and `identity-keys.json`; relative to the repository',
        default: '`.data`',
      }),
    DATABASE_URL: databaseUrl
      .optional()
      .describe(
        '`postgres://…`: PostgreSQL instead of a file in `DATA_DIR`, for several replicas ([how](../../docs/scaling.md#identity-on-postgresql)); with `?sslmode=verify-full` unless it is on this machine, and `connections=10` per process',
      ),
    TRUST_PROXY: z.coerce.number().int().min(0).default(0).describe('number of trusted proxies in front'),
    SMTP_URL: smtpUrl
      .optional()
      .describe(
        '`smtp://user:password@host:587` or `smtps://…`: delivers emails, which otherwise stay in `/outbox`; required outside local mode. They leave over TLS or not at all, unless `?requireTLS=false` says otherwise, or local mode',
      ),
    MAIL_FROM: z
      .string()
      .min(3)
      .default('Forecourt <no-reply@forecourt.example>')
      .describe('sender of emails'),
    LOG_LEVEL: logLevel.describe("pino's levels, or `silent`"),
    LOCAL_MODE: z
      .stringbool()
      .default(false)
      .describe(
        'for development: no client secret, plain http, mails in `/outbox`, and generous rate limits',
      ),
    ...tracingKeys,
  })
  .superRefine(({ LOCAL_MODE, OIDC_CLIENTS, OIDC_ISSUER, SMTP_URL, DATABASE_URL }, context) => {
    if (LOCAL_MODE) return;
    if (OIDC_CLIENTS.shell.secret === undefined)
      context.addIssue({
        code: 'custom',
        path: ['OIDC_CLIENTS', 'shell', 'secret'],
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
    OIDC_ISSUER: config.OIDC_ISSUER ?? `http://localhost:${config.IDENTITY_PORT}`,
  }));
export type Config = z.infer<typeof configSchema>;

/** @throws Error of one line that names every invalid key */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config =>
  readEnvironment(configSchema, environment);
