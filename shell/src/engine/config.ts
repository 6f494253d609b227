import { resolve } from 'node:path';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import { json, list, logLevel, origin, port } from '@forecourt/service-kit/configuration';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { z } from 'zod';
import { allPlacements, type PageLayouts } from './layout/permissions.ts';
import { canBeFramed, type SlotPlacement } from './layout/placement.ts';
import { SANDBOX_LEVELS } from './rendering/process/sandbox.ts';
import { RENDERERS, type RendererName } from './rendering/slotRenderer.ts';

/** Off by default. */
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).default(false);
export const path = z.string().transform((text) => resolve(text));

/** 'process', or per slot: 'process,results=inline'. */
const slotRenderer = (remoteSlots: ReadonlySet<string>) =>
  z
    .string()
    .default('process')
    .transform((text, context) => {
      const perSlot = new Map<string, RendererName>();
      let defaultRenderer: RendererName = 'process';
      for (const part of text.split(',')) {
        const [name = '', value] = part.trim().split('=');
        const renderer = z.enum(RENDERERS).safeParse(value ?? name);
        if (!renderer.success) {
          context.addIssue({ code: 'custom', message: `must be process or inline, not '${value ?? name}'` });
          return z.NEVER;
        }
        if (value !== undefined && !remoteSlots.has(name)) {
          context.addIssue({ code: 'custom', message: `no remote fills a slot '${name}'` });
          return z.NEVER;
        }
        if (value === undefined) defaultRenderer = renderer.data;
        else perSlot.set(name, renderer.data);
      }
      return { defaultRenderer, perSlot: perSlot as ReadonlyMap<string, RendererName> };
    });

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

/** The engine's keys of the environment, for a site with these layouts. */
export function engineKeys(layouts: PageLayouts) {
  const placements = allPlacements(layouts);
  const remoteSlots = new Set(placements.filter(({ source }) => source !== 'shell').map(({ slot }) => slot));
  return {
    HOST: z.string().default('127.0.0.1'),
    PORT: port(3000),
    /** Answers liveness and readiness probes from a thread of its own; without it, only the port of the pages does. */
    PROBE_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
    REGISTRY_URL: origin.default('http://localhost:4100'),
    /** Default of the two tokens below. */
    REGISTRY_TOKEN: z.string().min(1).optional(),
    /** A credential for end-canary, to end a failing canary in the registry; without it only this shell stops serving it. */
    CANARY_TOKEN: z.string().min(1).optional(),
    /** What callers of the gate present; the registry has the same. */
    GATE_TOKEN: z.string().min(1).optional(),
    /** Releases of these remotes must be signed by one of their keys; others need no signature. */
    RELEASE_KEYS: releaseKeys,
    /** Follows pointers of exactly this revision, although the registry seems to be an empty, old or wrong one. */
    CONFIRM_REVISION: z.coerce.number().int().min(0).optional(),
    SLOT_RENDERER: slotRenderer(remoteSlots),
    /** Slots whose browser code runs in sandboxed frames, besides those that the layout frames. */
    FRAMED_SLOTS: framedSlots(placements),
    /** How processes of releases are isolated; `auto`: the strictest level that works here. */
    RELEASE_SANDBOX: z.enum(['auto', ...SANDBOX_LEVELS]).default('auto'),
    /** Socket of a release host (`shell/dist/program/releaseHost.cjs`), for the level `container`. */
    RELEASE_HOST: path.optional(),
    /** The shell does not start below this level. Default: `process` in local mode, else `namespaces`. */
    RELEASE_SANDBOX_MINIMUM: z.enum(SANDBOX_LEVELS).optional(),
    /** Encrypts session cookies; the same for every replica. In local mode it is generated and stored in DATA_DIR. */
    SESSION_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
    /** Folder of stored releases and of local mode's secret; relative to the repository. */
    DATA_DIR: z.string().min(1).default('.data'),
    /** Brand and flags may be overridden by header; cookies need no TLS. */
    LOCAL_MODE: flag,
    /** Takes development builds, and open pages show new releases at once: for `npm run dev`, in local mode only. */
    DEVELOPMENT_BUILDS: flag,
    /** Seconds after SIGTERM in which the shell serves but reports not ready, so that load balancers drain it. */
    DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
    /** Number of trusted proxies in front of the shell. */
    TRUST_PROXY: z.coerce.number().int().min(0).default(0),
    /** Age up to which cached pages of anonymous visitors are fresh; 0 disables the cache. */
    PAGE_CACHE_SECONDS: z.coerce.number().min(0).max(3600).default(10),
    /** Age up to which a rendered slot is reused in other pages, while everything that it shows is the same; 0 disables it. */
    SLOT_CACHE_SECONDS: z.coerce.number().min(0).max(3600).default(60),
    /** Pages rendered at the same time; further ones wait. */
    MAX_CONCURRENT_PAGES: z.coerce.number().int().min(1).max(10_000).default(32),
    /**
     * Pages and searches per minute and network that are rendered for it; pages from the cache don't count. Default: 300,
     * unlimited in local mode.
     */
    RENDERS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
    /**
     * Seconds per minute in which pages are rendered for a network, and for an account; pages from the cache take none.
     * Default: 30, unlimited in local mode.
     */
    RENDER_SECONDS_PER_MINUTE: z.coerce.number().int().min(1).max(6000).optional(),
    /** PostgreSQL in which shells count rate limits together; without it, each counts by itself. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Hosts of the site, with the port that visitors use if it is not the default one. Others get 421, so that they neither fill the cache nor appear in links. Default: any. */
    SITE_HOSTS: list.transform((hosts) => hosts.map((host) => host.toLowerCase())),
    /** Pages that wait longer than so many ms for ten times as long are overload: something is shed. */
    SHED_DELAY_MS: z.coerce.number().min(1).max(10_000).default(50),
    /** Base URL of an OTLP/HTTP receiver for traces. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    /** 'name=value,…': headers for it, which the exporter reads itself. */
    OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
    OTEL_SERVICE_NAME: z.string().min(1).default('forecourt-shell'),
    /** Share of traces that are recorded; those that begin elsewhere follow the flag of their `traceparent`. */
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
    /** Recorded pages add how they loaded in the browser to their trace. */
    OTEL_BROWSER_TRACES: z.stringbool().default(false),
    LOG_LEVEL: logLevel,
    /** Folder of the built shell, holding `web/` and `server/`. */
    SHELL_DIST: path.optional(),
  };
}

export type EngineConfig = z.infer<z.ZodObject<ReturnType<typeof engineKeys>>>;

/** What only several keys together make invalid. */
export const contradictionsOf = (
  config: EngineConfig,
): readonly (readonly [key: string, message: string])[] => [
  ...(config.DEVELOPMENT_BUILDS && !config.LOCAL_MODE
    ? [['DEVELOPMENT_BUILDS', 'for `npm run dev`, needs LOCAL_MODE=true'] as const]
    : []),
  ...(config.DATABASE_URL !== undefined && !config.LOCAL_MODE && !isPrivateConnection(config.DATABASE_URL)
    ? [['DATABASE_URL', 'must have sslmode=verify-full unless the server is on this machine'] as const]
    : []),
  ...(config.RELEASE_SANDBOX === 'container' && config.RELEASE_HOST === undefined
    ? [['RELEASE_HOST', 'is required for RELEASE_SANDBOX=container'] as const]
    : []),
];
