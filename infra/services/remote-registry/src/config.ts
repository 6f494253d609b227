import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import {
  bucketUrl,
  databaseUrl,
  json,
  logLevel,
  origin,
  readEnvironment,
} from '@forecourt/service-kit/configuration';
import { issuerUrl } from '@forecourt/service-kit/issuerUrl';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { trustedPublisherSchema } from './access/trustedPublishers.ts';
import { roleSchema } from './room/sessions.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** 'https://shell-1.internal,…' */
const urlList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
  )
  .pipe(z.array(z.url({ protocol: /^https?$/ })));

/**
 * All keys of the environment.
 * @public Read by the check of the README's table.
 */
export const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
    REGISTRY_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65535)
      .default(4100)
      .describe('port; `0` takes a free one'),
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => (isAbsolute(path) ? path : resolve(repository, path)))
      .meta({
        description: 'data is stored in `registry/` below it; relative to the repository',
        default: '`.data`',
      }),
    DATABASE_URL: databaseUrl
      .optional()
      .describe(
        '`postgres://…`: PostgreSQL for pointers, credentials and log, which replicas share ([how](../../docs/scaling.md)), with `?connections=10` per process; otherwise a SQLite file in `DATA_DIR`',
      ),
    BUCKET: bucketUrl('registry/').optional().meta({
      description:
        '`s3://bucket/registry/?region=…&endpoint=…&pathStyle=true`: a bucket for the files of releases, of Amazon or of the server at `endpoint`; it must exist; required with `DATABASE_URL`',
      default: '`DATA_DIR`',
    }),
    SHELL_URLS: urlList.default([]).meta({
      description:
        '`https://shell-1.internal,…`: shells that must accept a release before a pointer names it',
      default: 'none',
    }),
    WATCHED_SHELLS: urlList
      .optional()
      .meta({ description: 'shells that the control room shows', default: '`SHELL_URLS`' }),
    ROOM_ORIGIN: origin.optional().meta({
      description:
        'origin of the control room as browsers see it, e.g. `https://registry.example`; required behind a proxy',
      default: 'http at the requested host',
    }),
    REGISTRY_TOKEN: z
      .string()
      .regex(/^\S+$/, 'must not contain spaces')
      .min(16)
      .optional()
      .describe('allows everything, as `bootstrap`; at least 16 characters; required outside local mode'),
    TRUSTED_PUBLISHERS: json
      .prefault('[]')
      .pipe(z.array(trustedPublisherSchema))
      .describe('JSON, see [CI without a stored secret](#ci-without-a-stored-secret)'),
    ROOM_ROLES: json
      .prefault('[]')
      .pipe(z.array(roleSchema))
      .describe('JSON, see [The control room](#the-control-room)'),
    OIDC_ISSUER: issuerUrl
      .optional()
      .describe(
        'identifier of the issuer, exactly as it spells itself, where people of `ROOM_ROLES` sign in',
      ),
    OIDC_CLIENT_ID: z
      .string()
      .min(1)
      .default('forecourt-room')
      .describe('client id of the control room at the issuer'),
    OIDC_CLIENT_SECRET: z
      .string()
      .min(32, 'must have 32 characters or more')
      .optional()
      .describe('its secret, at least 32 characters; without it, PKCE alone authenticates it'),
    GATE_TOKEN: z.string().regex(/^\S+$/, 'must not contain spaces').min(16).optional().meta({
      description: 'presented to the gates of shells; at least 16 characters',
      default: '`REGISTRY_TOKEN`',
    }),
    LOCAL_MODE: z
      .stringbool()
      .default(false)
      .describe('without a token, lets programs on this machine write'),
    LOG_LEVEL: logLevel.describe("pino's levels, or `silent`"),
    ...tracingKeys,
  })
  .refine(
    ({ LOCAL_MODE, DATABASE_URL: url }) => LOCAL_MODE || url === undefined || isPrivateConnection(url),
    {
      path: ['DATABASE_URL'],
      message: 'must have sslmode=verify-full unless the server is on this machine',
    },
  )
  .refine((config) => config.LOCAL_MODE || config.DATABASE_URL === undefined || config.BUCKET !== undefined, {
    path: ['BUCKET'],
    message: 'is required for DATABASE_URL: replicas share the files of releases there',
  })
  .refine((config) => config.LOCAL_MODE || config.REGISTRY_TOKEN !== undefined, {
    path: ['REGISTRY_TOKEN'],
    message: 'is required outside local mode (16 characters or more)',
  })
  .refine((config) => config.ROOM_ROLES.length === 0 || config.OIDC_ISSUER !== undefined, {
    path: ['OIDC_ISSUER'],
    message: 'is required for ROOM_ROLES: these people sign in there',
  })
  .refine(
    ({ LOCAL_MODE, ROOM_ROLES, OIDC_ISSUER = 'https:' }) =>
      LOCAL_MODE || ROOM_ROLES.length === 0 || OIDC_ISSUER.startsWith('https:'),
    { path: ['OIDC_ISSUER'], message: 'must use https outside local mode' },
  );

export type RegistryConfig = z.infer<typeof configSchema>;

/** @throws Error of one line that names every invalid key */
export const readConfig = (environment: NodeJS.ProcessEnv): RegistryConfig =>
  readEnvironment(configSchema, environment);
