import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { bucketKeys, json, logLevel, readEnvironment } from '@forecourt/service-kit/configuration';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { trustedPublisherSchema } from './access/trustedPublishers.ts';
import { roleSchema } from './room/sessions.ts';
import { DEFAULT_BROTLI_QUALITY } from './releases/addToStore.ts';

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

const configSchema = z
  .object({
    /** Address to listen on. */
    HOST: z.string().min(1).default('127.0.0.1'),
    REGISTRY_PORT: z.coerce.number().int().min(0).max(65535).default(4100),
    /** All durable data; a relative path is relative to the repository, not the working folder. */
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => (isAbsolute(path) ? path : resolve(repository, path))),
    /** PostgreSQL for pointers, access and log, which replicas share; default: a SQLite file in `DATA_DIR`. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Connections to PostgreSQL. */
    DATABASE_CONNECTIONS: z.coerce.number().int().min(1).default(10),
    ...bucketKeys('registry/'),
    /** Shells that must accept a release before a pointer names it. */
    SHELL_URLS: urlList.default([]),
    /** Shells that the control room shows; default: SHELL_URLS. */
    WATCHED_SHELLS: urlList.optional(),
    /** Origin of the control room as browsers see it, e.g. behind a proxy; default: http at the requested host. */
    ROOM_ORIGIN: z
      .url({ protocol: /^https?$/ })
      .refine((url) => new URL(url).href === `${new URL(url).origin}/`, 'must be an origin, without a path')
      .transform((url) => new URL(url).origin)
      .optional(),
    /** Allows everything, to create the first credentials; short ones can be guessed. */
    REGISTRY_TOKEN: z.string().regex(/^\S+$/, 'must not contain spaces').min(16).optional(),
    /** JSON: which CI runs may exchange their OpenID Connect token for a credential. */
    TRUSTED_PUBLISHERS: json.prefault('[]').pipe(z.array(trustedPublisherSchema)),
    /** JSON: what people may do in the control room, by claims of their ID token. */
    ROOM_ROLES: json.prefault('[]').pipe(z.array(roleSchema)),
    /** Where these people sign in. */
    OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
    ROOM_CLIENT_ID: z.string().min(1).default('forecourt-room'),
    /** Without it, PKCE alone authenticates the registry. */
    ROOM_CLIENT_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
    /** What the registry presents to the gates of shells; default: REGISTRY_TOKEN. */
    GATE_TOKEN: z.string().regex(/^\S+$/, 'must not contain spaces').min(16).optional(),
    /** Allows writes without a token, from programs on this machine only. */
    LOCAL_MODE: z.stringbool().default(false),
    LOG_LEVEL: logLevel,
    /** 11 compresses best; 5 is about fifty times faster. */
    REGISTRY_BROTLI_QUALITY: z.coerce.number().int().min(0).max(11).default(DEFAULT_BROTLI_QUALITY),
    ...tracingKeys,
  })
  .refine(
    ({ LOCAL_MODE, DATABASE_URL: url }) => LOCAL_MODE || url === undefined || isPrivateConnection(url),
    {
      path: ['DATABASE_URL'],
      message: 'must have sslmode=verify-full unless the server is on this machine',
    },
  )
  .refine(
    (config) => config.LOCAL_MODE || config.DATABASE_URL === undefined || config.S3_BUCKET !== undefined,
    {
      path: ['S3_BUCKET'],
      message: 'is required for DATABASE_URL: replicas share the files of releases there',
    },
  )
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
