import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import type webpack from 'webpack';
import { compile } from './compile.ts';
import { defineRemote, exposeChunk, readRemotePackage, type RemotePackage } from './defineRemote.ts';
import { readSlots } from './readSlots.ts';
import { LATER_STYLES } from './rules.ts';
import { unguardedScripts } from './unguardedScripts.ts';

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

const isLater = (asset: string): boolean =>
  asset.startsWith(`web/${LATER_STYLES}.`) && asset.endsWith('.css');

/** Builds that are not released by hand are named by their content: the same sources give the same version. */
function contentVersion(version: string, files: ReleaseManifest['files']): string {
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  return `${version}-build.x${hash}`;
}

/**
 * Writes `release.json` into `dist`, which holds the fresh `web/` and `node/`
 * of the remote; `stats` are those of their compilation. `version` names a
 * release; without it the version follows from the content.
 */
export async function writeManifest(
  remote: RemotePackage,
  stats: webpack.MultiStats,
  dist: string,
  repositoryRoot: string,
  version?: string,
): Promise<ReleaseManifest> {
  const slotFacts = await readSlots(
    join(dist, 'node/remoteEntry.cjs'),
    Object.keys(remote.slots),
    repositoryRoot,
  );
  const files = describeFiles(dist);
  const { namedChunkGroups } =
    stats.stats[0]?.toJson({ all: false, chunkGroups: true, chunkGroupAuxiliary: false }) ?? {};
  const assetsOf = (slot: string) =>
    (namedChunkGroups?.[exposeChunk(slot)]?.assets ?? []).map(({ name }) => `web/${name}`);
  const manifest: ReleaseManifest = {
    schema: 1,
    name: remote.name,
    version: version ?? contentVersion(remote.version, files),
    contract: remote.contract,
    shared: { ...remote.shared },
    entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
    slots: Object.fromEntries(
      Object.entries(slotFacts).map(([slot, { needs, loads }]) => [
        slot,
        {
          expose: `./${slot}`,
          needs: [...needs],
          loads,
          scripts: assetsOf(slot).filter((asset) => asset.endsWith('.js')),
          styles: assetsOf(slot).filter((asset) => asset.endsWith('.css')),
          laterStyles: assetsOf(slot).filter(isLater),
        },
      ]),
    ),
    files,
  };
  const unguarded = unguardedScripts(manifest, (path) => readFileSync(join(dist, path), 'utf8'));
  if (unguarded.length > 0)
    throw new Error(`${manifest.name} would load without integrity: ${unguarded.join(', ')}`);
  writeFileSync(
    join(dist, 'release.json'),
    `${JSON.stringify(releaseManifestSchema.parse(manifest), null, 2)}\n`,
  );
  return manifest;
}

/**
 * Builds the remote in `directory` into `dist/{web,node}` and writes
 * `dist/release.json`; `version` as in `writeManifest`.
 */
export async function buildRelease(
  directory: string,
  repositoryRoot: string,
  options: { version?: string } = {},
): Promise<ReleaseManifest> {
  const remote = readRemotePackage(directory, repositoryRoot);
  const stats = await compile(defineRemote(remote, repositoryRoot));
  return writeManifest(remote, stats, join(directory, 'dist'), repositoryRoot, options.version);
}
