import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import { checkStyles } from '@forecourt/releases/checkStyles';
import { describeRefusal } from '@forecourt/releases/gate';
import webpack, { type Configuration } from 'webpack';
import {
  type RemotePackage,
  defineRemote,
  exposeChunk,
  stylesChunk,
  readRemotePackage,
} from './defineRemote.ts';
import { describeFederation, FEDERATION_MANIFEST } from './federationManifest.ts';
import { readSlots } from './readSlots.ts';
import { LATER_STYLES } from './rules.ts';

function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Subresource Integrity of a file's bytes. */
export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

function describeFiles(dist: string): ReleaseManifest['files'] {
  const files: ReleaseManifest['files'] = {};
  for (const side of ['web', 'node']) {
    for (const path of [...filesBelow(join(dist, side))].sort()) {
      const bytes = readFileSync(path);
      files[relative(dist, path).split(sep).join('/')] = {
        integrity: integrityOf(bytes),
        bytes: bytes.length,
      };
    }
  }
  return files;
}

/**
 * Scripts that the release would load without integrity, because no other
 * script contains their hash; the page itself has the entry's. A browser treats
 * `integrity="undefined"` as none and only logs it, so the build checks.
 */
export function unguardedScripts(
  { files, entry }: Pick<ReleaseManifest, 'files' | 'entry'>,
  read: (path: string) => string,
): string[] {
  const scripts = Object.keys(files).filter((path) => path.startsWith('web/') && path.endsWith('.js'));
  const sources = scripts.map((path) => read(path)).join('\n');
  return scripts.filter((path) => path !== entry.web && !sources.includes(files[path]?.integrity ?? path));
}

/** Style sheets that no page would link: releases contain no code to load one, so a slot has to list it. */
export const unlinkedStyles = ({ files, slots }: Pick<ReleaseManifest, 'files' | 'slots'>): string[] => {
  const linked = new Set(Object.values(slots).flatMap(({ styles }) => styles));
  return Object.keys(files).filter((path) => path.endsWith('.css') && !linked.has(path));
};

const isLater = (asset: string): boolean =>
  asset.startsWith(`web/${LATER_STYLES}.`) && asset.endsWith('.css');

/** Builds without a given version are named by their content: the same sources give the same version. */
function contentVersion(version: string, files: ReleaseManifest['files']): string {
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  return `${version}-build.x${hash}`;
}

/** The assets of each slot, as the web compilation grouped them. */
function describeSlots(
  stats: webpack.MultiStats,
  slotFacts: Awaited<ReturnType<typeof readSlots>>,
): ReleaseManifest['slots'] {
  const { namedChunkGroups } =
    stats.stats[0]?.toJson({ all: false, chunkGroups: true, chunkGroupAuxiliary: false }) ?? {};
  return Object.fromEntries(
    Object.entries(slotFacts).map(([slot, { reads, loads }]) => {
      const isOwn = (asset: string) => asset.startsWith(`web/${stylesChunk(slot)}.`);
      const assets = (namedChunkGroups?.[exposeChunk(slot)]?.assets ?? []).map(({ name }) => `web/${name}`);
      return [
        slot,
        {
          expose: `./${slot}`,
          reads: [...reads],
          loads,
          scripts: assets.filter((asset) => asset.endsWith('.js')),
          // A slot's own rules come last, because they refine those of shared components.
          styles: assets
            .filter((asset) => asset.endsWith('.css'))
            .sort((a, b) => Number(isOwn(a)) - Number(isOwn(b))),
          laterStyles: assets.filter(isLater),
        },
      ];
    }),
  );
}

/** Whether `forecourt-build` builds without minification. */
const isDevelopment = (): boolean => process.env['NODE_ENV'] === 'development';

/**
 * Writes `release.json` into `dist`, which holds the fresh `web/` and `node/` of
 * the remote; `stats` belong to that compilation. Without `version`, the
 * version is derived from the content.
 */
export async function writeManifest(
  remote: RemotePackage,
  stats: webpack.MultiStats,
  dist: string,
  options: {
    readonly version?: string;
    readonly development?: boolean;
    readonly contractBuild?: number;
  } = {},
): Promise<ReleaseManifest> {
  const { version, development = isDevelopment(), contractBuild } = options;
  const slots = describeSlots(stats, await readSlots(dist, remote, contractBuild));
  const entry = { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' };
  const federation = describeFederation({ ...remote, slots, entry }, version ?? remote.version);
  writeFileSync(join(dist, 'web', FEDERATION_MANIFEST), `${JSON.stringify(federation, null, 2)}\n`);
  const files = describeFiles(dist);
  const manifest: ReleaseManifest = {
    schema: 1,
    name: remote.name,
    version: version ?? contentVersion(remote.version, files),
    contracts: { ...remote.contracts },
    ...(development && { development }),
    shared: { ...remote.shared },
    entry,
    slots,
    files,
  };
  const unguarded = unguardedScripts(manifest, (path) => readFileSync(join(dist, path), 'utf8'));
  if (unguarded.length > 0)
    throw new Error(`${manifest.name} would load scripts without integrity: ${unguarded.join(', ')}`);
  const unlinked = unlinkedStyles(manifest);
  if (unlinked.length > 0)
    throw new Error(
      `${manifest.name} has styles that no page links: ${unlinked.join(', ')}; import the styles of lazy modules in their slot, too`,
    );
  const [refusal] = checkStyles(manifest, (path) => readFileSync(join(dist, path)));
  if (refusal) throw new Error(`${manifest.name} would be refused: ${describeRefusal(refusal)}`);
  writeFileSync(
    join(dist, 'release.json'),
    `${JSON.stringify(releaseManifestSchema.parse(manifest), null, 2)}\n`,
  );
  return manifest;
}

/** Builds the remote in `directory` into `dist/{web,node}` and writes `dist/release.json`. */
export async function buildRelease(
  directory: string,
  options: { version?: string } = {},
): Promise<ReleaseManifest> {
  const remote = readRemotePackage(directory);
  const stats = await compile(defineRemote(remote));
  return writeManifest(remote, stats, join(directory, 'dist'), options);
}

/** Runs webpack and returns its statistics. Rejects with all build errors in one message. */
export async function compile(configurations: Configuration[]): Promise<webpack.MultiStats> {
  const compiler = webpack(configurations);
  if (!compiler) throw new Error('webpack returned no compiler');
  const stats = await new Promise<webpack.MultiStats>((resolve, reject) => {
    compiler.run((error, result) =>
      error || !result ? reject(error ?? new Error('no result')) : resolve(result),
    );
  });
  await new Promise<void>((resolve, reject) =>
    compiler.close((error) => (error ? reject(error) : resolve())),
  );
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true, colors: false }));
  return stats;
}

/** ms without another change until a build starts. */
const WATCH_MS = 50;

export interface BuildWatch {
  /** Whether the last build read this file. */
  reads(path: string): boolean;
  /** Resolves after the first build and its callback. */
  readonly first: Promise<void>;
  /** Builds nothing until it is resumed. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Rebuilds on change. Calls `onBuilt` with each successful build and its duration in ms, one at a time; calls `onError` with
 * errors of the compiler and of `onBuilt`.
 */
export function watchBuild(
  configurations: readonly Configuration[],
  handlers: {
    readonly onBuilt: (stats: webpack.MultiStats, ms: number) => Promise<void>;
    readonly onError: (message: string) => void;
    /** Before a build: the files that changed. */
    readonly onChanged?: (paths: ReadonlySet<string>) => void;
    /** A change was seen, and everything after it is done. */
    readonly onBusy?: (isBusy: boolean) => void;
  },
  aggregateTimeout = WATCH_MS,
): BuildWatch {
  const compiler = webpack([...configurations]);
  if (!compiler) throw new Error('webpack returned no compiler');
  compiler.hooks.watchRun.tap('watchBuild', ({ modifiedFiles }: webpack.Compiler) =>
    handlers.onChanged?.(modifiedFiles ?? new Set()),
  );
  for (const each of compiler.compilers) each.hooks.invalid.tap('watchBuild', () => handlers.onBusy?.(true));
  let finishFirst: () => void;
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve;
  });
  let queue = Promise.resolve();
  let lastHash: string | undefined;
  let sources: ReadonlySet<string> = new Set();
  const watching = compiler.watch({ aggregateTimeout }, (error, stats) => {
    queue = queue.then(async () => {
      try {
        sources = new Set(stats?.stats.flatMap(({ compilation }) => [...compilation.fileDependencies]));
        if (error || !stats) handlers.onError(error?.message ?? 'the compiler returned no result');
        else if (stats.hasErrors())
          handlers.onError(stats.toString({ all: false, errors: true, colors: false }));
        else if (stats.hash !== lastHash) {
          lastHash = stats.hash;
          const ends = stats.stats.map(({ endTime }) => endTime);
          const starts = stats.stats.map(({ startTime }) => startTime);
          await handlers.onBuilt(stats, Math.max(...ends) - Math.min(...starts));
        }
      } catch (failure) {
        handlers.onError(failure instanceof Error ? failure.message : String(failure));
      }
      handlers.onBusy?.(false);
      finishFirst();
    });
  });
  return {
    first,
    reads: (path) => sources.has(path),
    pause: () => watching?.suspend(),
    resume: () => watching?.resume(),
    close: () => new Promise((resolve) => (watching ? watching.close(() => resolve()) : resolve())),
  };
}

/** The same builds with another output folder. */
export const buildInto = (configurations: readonly Configuration[], dist: string): Configuration[] =>
  configurations.map((configuration) => ({
    ...configuration,
    output: { ...configuration.output, path: join(dist, basename(configuration.output?.path ?? 'web')) },
  }));

/** Builds the remote in `directory` into `dist` on each change. A new slot is seen after a restart only. */
export function watchRelease(
  directory: string,
  dist: string,
  handlers: {
    readonly onBuilt: (manifest: ReleaseManifest, ms: number) => void;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const remote = readRemotePackage(directory);
  return watchBuild(buildInto(defineRemote(remote), dist), {
    onError: handlers.onError,
    async onBuilt(stats, ms) {
      handlers.onBuilt(await writeManifest(remote, stats, dist), ms);
    },
  });
}
