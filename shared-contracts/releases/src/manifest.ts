import { z } from 'zod';

const file = z.object({
  /** Subresource Integrity, 'sha384-…' of the uncompressed bytes. */
  integrity: z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/),
  bytes: z.number().int().nonnegative(),
});

/** Path of a file inside its release: forward slashes, no parent directories. */
const releasePath = z
  .string()
  .regex(/^[A-Za-z0-9._~/-]+$/)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'must stay inside the release');

export const remoteNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
/** Name of a slot, which ids of its elements begin with. Those of the page itself begin with `slot-` and `fc-`. */
export const slotNameSchema = z
  .string()
  .regex(
    /^(?!(?:slot|fc)(?:-|$))[a-z][a-z0-9-]{0,39}$/,
    'must be 1 to 40 lowercase letters, digits and hyphens, and not begin with slot- or fc-',
  );
export const versionSchema = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/);

/**
 * `release.json` of one immutable build of one remote, `name@version`. Written by the build, validated by the
 * registry, used by the shell to compose pages without running the remote's code.
 */
export const releaseManifestSchema = z.object({
  schema: z.literal(1),
  name: remoteNameSchema,
  version: versionSchema,
  /** Contract package to the version that it was built with: those that the remote depends on. */
  contracts: z.record(z.string(), versionSchema).default({}),
  /** Not minimized and with React's development code; only shells of `npm run dev` take it. */
  development: z.literal(true).optional(),
  /** Shared module to the version range that the remote accepts. */
  shared: z.record(z.string(), z.string()),
  entry: z.object({
    web: releasePath,
    node: releasePath,
    /** ES modules that the web entry loads, if its container is one. */
    modules: z.array(releasePath).optional(),
  }),
  /** Slot name to the requirements of its module. */
  slots: z.record(
    slotNameSchema,
    z.object({
      /** Module key in the container, e.g. './panel'. */
      expose: z.string().startsWith('./'),
      /** Parts of the store that the slot reads, e.g. 'search.listings'. */
      reads: z.array(z.string()),
      /** Whether the slot has data to load on the server. */
      loads: z.boolean(),
      /** Web chunks besides the entry that are worth preloading. */
      scripts: z.array(releasePath),
      styles: z.array(releasePath),
      /**
       * Those of `styles` that no slot above or among the results needs; the page links them after the
       * results.
       */
      laterStyles: z.array(releasePath).optional(),
    }),
  ),
  files: z.record(releasePath, file),
});
export type ReleaseManifest = z.infer<typeof releaseManifestSchema>;

/** 'search 1.0.0, slots 1.2.0', for people. */
export const describeContracts = (contracts: ReleaseManifest['contracts']): string =>
  Object.entries(contracts)
    .map(([name, version]) => `${name.split('/').at(-1)} ${version}`)
    .sort()
    .join(', ') || 'none';

/** Path of a release's file below the registry's or the page's `/remotes`. */
export const releaseFilePath = (name: string, version: string, path: string): string =>
  `/remotes/${name}/${version}/${path}`;
