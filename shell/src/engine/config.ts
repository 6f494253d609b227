import { resolve } from 'node:path';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import {
  databaseUrl,
  json,
  list,
  logLevel,
  origin,
  port,
  readEnvironment,
  settings,
} from '@forecourt/service-kit/configuration';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { z } from 'zod';
import { allPlacements, type PageLayouts } from './layout/permissions.ts';
import { canBeFramed, type SlotPlacement } from './layout/placement.ts';
import { SANDBOX_LEVELS } from './rendering/process/sandbox.ts';

/** Off by default. */
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).default(false);
export const path = z.string().transform((text) => resolve(text));

const framedSlots = (placements: readonly SlotPlacement[]) =>
  list.refine(
    (slots) => slots.every((name) => placements.some((one) => one.slot === name && canBeFramed(one))),
    'must list optional slots that the server renders and a remote fills',
  );

/** '{"mfe-results": ["…"]}': the public keys whose signatures the shell requires. */
const releaseKeys = json
  .prefault('{}')
  .pipe(
    z.record(
      remoteNameSchema,
      z
        .array(z.string().regex(/^[\w-]{43}$/, 'must be an Ed25519 public key in base64url'))
        .min(1, 'must trust a key, or else be left out'),
    ),
  );

const seconds = z.coerce.number().min(0).max(3600);

/** Seconds up to which something cached is as good as new; 0 turns the cache off. */
const cacheSeconds = settings({
  /** Pages of anonymous visitors. */
  pages: seconds.default(10),
  /** Slots that pages share while everything that they show is the same. */
  slots: seconds.default(60),
});

const renderLimits = settings({
  /** Pages rendered at the same time; further ones wait. */
  concurrent: z.coerce.number().int().min(1).max(10_000).default(32),
  /** Pages that wait longer than so many ms for ten times as long are overload: something is shed. */
  delayMs: z.coerce.number().min(1).max(10_000).default(50),
  /** Pages and searches per minute and network that are rendered for it; pages from the cache don't count. */
  pagesPerMinute: z.coerce.number().int().min(1).optional(),
  /** Seconds per minute in which pages are rendered for a network, and for an account. */
  secondsPerMinute: z.coerce.number().int().min(1).max(6000).optional(),
  /** CPU seconds for which a starting shell renders recorded pages before it listens. */
  warmUpSeconds: z.coerce.number().min(0).max(60).optional(),
});

/** The engine's keys of the environment, for a site with these layouts. */
export function engineKeys(layouts: PageLayouts) {
  return {
    HOST: z.string().default('127.0.0.1').describe('address to listen on'),
    PORT: port(3000).describe('port of the pages'),
    PROBE_PORT: z.coerce
      .number()
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe(
        'answers `/health/live` and `/health/ready` from a separate thread, also while the shell is busy with pages',
      ),
    REGISTRY_URL: origin.default('http://localhost:4100').describe('origin of the remote registry'),
    REGISTRY_TOKEN: z
      .string()
      .min(1)
      .optional()
      .describe(
        'credential for `end-canary`, to end a failing canary in the registry; without it, only this shell stops serving it. With `rollback`, it also [rolls back](../infra/docs/control-room.md#when-a-release-is-broken) a worse live release',
      ),
    GATE_TOKEN: z
      .string()
      .min(1)
      .optional()
      .describe(
        'opens the release gate to callers that present it, like the registry, which has the same; without it, the gate is open in local mode only',
      ),
    RELEASE_KEYS: releaseKeys.describe(
      'JSON `{remote: [public key]}`: releases of these remotes must be [signed](../infra/docs/deploying-a-remote.md#sign-releases); others need no signature',
    ),
    CONFIRM_REVISION: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .describe(
        "follows the registry's pointers of exactly this revision, although they [seem suspicious](../infra/docs/deploying-a-remote.md#when-the-registry-loses-its-data)",
      ),
    RELEASE_ISOLATION: z
      .enum(['none', 'strictest', ...SANDBOX_LEVELS])
      .optional()
      .meta({
        description:
          'how releases are [isolated](../infra/docs/security.md#isolation-on-the-server): `namespaces` (bubblewrap), `process`, the first of them that works here (`strictest`), or in local mode `none`; the shell does not start without it',
        default: '`namespaces`; `strictest` in local mode',
      }),
    FRAMED_SLOTS: framedSlots(allPlacements(layouts)).describe(
      'optional slots whose browser code runs in sandboxed frames, besides those that the layout frames, e.g. `showcase` during an incident ([what that stops](../infra/docs/security.md#slots-in-frames))',
    ),
    SESSION_SECRET: z
      .string()
      .min(32, 'must have 32 characters or more')
      .optional()
      .describe(
        'encrypts session cookies, at least 32 characters, the same in every replica; required outside local mode, where it is generated and kept in `DATA_DIR`',
      ),
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .describe("folder of stored releases and of local mode's secret; relative to the repository"),
    LOCAL_MODE: flag.describe(
      'for development: brand and flags by header, fault switches, cookies without TLS, an open gate; `npm start` sets it, never set it on a public host',
    ),
    DEVELOPMENT_BUILDS: flag.describe(
      'takes development builds and shows each in open pages at once: for `npm run dev`, in local mode only',
    ),
    DRAIN_SECONDS: z.coerce
      .number()
      .min(0)
      .max(300)
      .default(0)
      .describe(
        'after SIGTERM, keeps serving this long while reporting not ready, so that load balancers notice',
      ),
    TRUST_PROXY: z.coerce.number().int().min(0).default(0).describe('number of trusted proxies in front'),
    SITE_HOSTS: list
      .transform((hosts) => hosts.map((host) => host.toLowerCase()))
      .meta({
        description:
          'hosts of the site, separated by commas, with the port if visitors use one; others get 421, so that they neither fill the cache nor appear in links',
        default: 'any',
      }),
    CACHE_SECONDS: cacheSeconds.meta({
      description:
        'how long what was rendered is fresh: `pages` of anonymous visitors, and `slots` that pages share while all that they show is the same; 0 turns a cache off',
      default: '`pages=10,slots=60`',
    }),
    RENDER_LIMITS: renderLimits.meta({
      description:
        'pages that are rendered at a time, ms of waiting that are [overload](../infra/docs/architecture.md#overload) in the long run; uncached pages and searches of a network, and seconds of rendering for a network or an account, beyond which it gets stored pages or 429; CPU seconds for which a starting shell [warms up](../infra/docs/adr/0059-pages-before-the-first-visitor.md)',
      default:
        '`concurrent=32,delayMs=50,pagesPerMinute=300,secondsPerMinute=30,warmUpSeconds=1.5`; in local mode no limit per minute and no warm-up',
    }),
    DATABASE_URL: databaseUrl
      .optional()
      .describe(
        '`postgres://…`: rate limits and ended sessions of all shells ([how](../infra/docs/scaling.md)); without it, each counts by itself',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: tracingKeys.OTEL_EXPORTER_OTLP_ENDPOINT.describe(
      'base URL of an OTLP/HTTP receiver of [traces](../infra/docs/operations.md#traces); the SDK reads its other `OTEL_EXPORTER_OTLP_…` keys, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` itself',
    ),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe(
        'share of traces that are recorded, 0 to 1; those that begin elsewhere follow the flag of their `traceparent`',
      ),
    LOG_LEVEL: logLevel.describe("pino's levels, or `silent`; logs are JSON lines"),
  };
}

export type EngineConfig = z.infer<z.ZodObject<ReturnType<typeof engineKeys>>>;

/** What only several keys together make invalid. */
const contradictionsOf = (config: EngineConfig): readonly (readonly [key: string, message: string])[] => [
  ...(config.DEVELOPMENT_BUILDS && !config.LOCAL_MODE
    ? [['DEVELOPMENT_BUILDS', 'for `npm run dev`, needs LOCAL_MODE=true'] as const]
    : []),
  ...(config.RELEASE_ISOLATION === 'none' && !config.LOCAL_MODE
    ? [['RELEASE_ISOLATION', 'none runs releases inside the shell, needs LOCAL_MODE=true'] as const]
    : []),
  ...(config.DATABASE_URL !== undefined && !config.LOCAL_MODE && !isPrivateConnection(config.DATABASE_URL)
    ? [['DATABASE_URL', 'must have sslmode=verify-full unless the server is on this machine'] as const]
    : []),
];

/**
 * Parses the environment of a shell; empty values count as unset. `schema` has the engine's keys and those of the site.
 * Throws one line that names every invalid key.
 */
export function readEngineConfig<K extends ReturnType<typeof engineKeys>>(
  schema: z.ZodObject<K>,
  environment: NodeJS.ProcessEnv,
): z.infer<z.ZodObject<K>> {
  const checked = schema.superRefine((config, context) => {
    for (const [key, message] of contradictionsOf(config as unknown as EngineConfig))
      context.addIssue({ code: 'custom', path: [key], message });
  });
  return readEnvironment(checked, environment);
}
