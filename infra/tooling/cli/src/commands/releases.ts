import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { readRelease, UsageError } from '../commandLine.ts';
import { callRegistry, publishRelease, type RegistryAccess, RegistryCallError } from '../client.ts';
import { listSchema, garbageSchema } from '../release/format.ts';
import {
  type Command,
  type CommandResult,
  describePointer,
  formatKilobytes,
  type Pointer,
  pointerOf,
  readPointers,
  rejectExtraArguments,
  releasePath,
} from './command.ts';
import { describeCanary, readCanary } from './pointers.ts';

/** `list [REMOTE]` */
export const list: Command = async ({ access, args }) => {
  const [remote, ...rest] = args;
  rejectExtraArguments(rest);
  const path = remote === undefined ? '/api/releases' : `/api/releases/${encodeURIComponent(remote)}`;
  const { releases } = await callRegistry(access, { method: 'GET', path }, listSchema);
  const pointers = await readPointers(access);
  const entries = releases.map((release) => {
    const pointer = pointerOf(pointers, release.name);
    const isCanary = pointer?.canary?.version === release.version;
    const role = pointer?.live === release.version ? 'live' : isCanary ? 'canary' : null;
    return { ...release, role, weight: isCanary ? (pointer?.canary?.weight ?? null) : null };
  });
  const lines = entries.map(({ name, version, publishedAt, files, bytes, role, weight }) =>
    [
      `${name}@${version}`,
      publishedAt,
      `${files} files`,
      formatKilobytes(bytes),
      ...(role ? [weight === null ? role : `${role} ${weight} %`] : []),
    ].join('  '),
  );
  return { text: lines.length > 0 ? lines.join('\n') : 'no releases', data: { releases: entries } };
};

function describeManifest(manifest: ReleaseManifest, pointer: Pointer | undefined): string {
  const { name, version, contract, shared, slots, files } = manifest;
  const size = (paths: readonly string[]) =>
    formatKilobytes(paths.reduce((sum, path) => sum + (files[path]?.bytes ?? 0), 0));
  const all = Object.keys(files);
  return [
    `${name}@${version}, built for contract ${contract}; ${name} has ${describePointer(pointer)}`,
    `files: ${all.length}, for browsers ${size(all.filter((path) => path.startsWith('web/')))}`,
    ...Object.entries(slots).map(
      ([slot, { needs, loads, scripts, styles }]) =>
        `slot ${slot}: ${size([...scripts, ...styles])}${loads ? ', loads data' : ''}, needs ${needs.join(', ') || 'nothing'}`,
    ),
    `shared: ${Object.entries(shared)
      .map(([module, range]) => `${module} ${range}`)
      .join(', ')}`,
  ].join('\n');
}

/** `show REMOTE [VERSION]`; without a version, the live one. */
export const show: Command = async ({ access, args }) => {
  const { name, version: requested, rest } = readRelease(args);
  rejectExtraArguments(rest);
  const pointer = pointerOf(await readPointers(access), name);
  const version = requested ?? pointer?.live;
  if (version === undefined) throw new UsageError(`${name} has no live release: name a VERSION`);
  const manifest = await callRegistry(
    access,
    { method: 'GET', path: releasePath(name, version) },
    releaseManifestSchema,
  );
  const isCompared = pointer?.canary && [pointer.live, pointer.canary.version].includes(version);
  const report = isCompared ? await tryReadCanary(access, name) : undefined;
  return {
    text: [describeManifest(manifest, pointer), ...(report === undefined ? [] : [report.text])].join('\n'),
    data: { manifest, pointer: pointer ?? null, canary: report?.data ?? null },
  };
};

/** How the canary fares, or why that can't be read: everyone may read a release, but this needs a credential. */
async function tryReadCanary(access: RegistryAccess, name: string): Promise<CommandResult> {
  try {
    const data = await readCanary(access, name);
    return { text: describeCanary(data), data };
  } catch (error) {
    if (!(error instanceof RegistryCallError)) throw error;
    return { text: `how the canary fares can't be read: ${error.code}: ${error.message}`, data: null };
  }
}

/** `publish DIRECTORY` */
export const publish: Command = async ({ access, args }) => {
  const [directory, ...rest] = args;
  if (directory === undefined) throw new UsageError('publish needs the DIRECTORY of a built remote');
  rejectExtraArguments(rest);
  const { name, version } = await publishRelease({ ...access, directory });
  return { text: `published ${name}@${version}`, data: { name, version } };
};

/** `gc`: a dry run unless `--yes`. */
export const gc: Command = async ({ access, args, keepDays, keepVersions, isConfirmed }) => {
  rejectExtraArguments(args);
  const content = JSON.stringify({ keepDays, keepVersions, dryRun: !isConfirmed });
  const result = await callRegistry(
    access,
    { method: 'POST', path: '/api/gc', body: { type: 'application/json', content } },
    garbageSchema,
  );
  const names = result.removed.map(({ name, version }) => `${name}@${version}`);
  const verb = isConfirmed ? 'removed' : 'would remove';
  return {
    text: names.length > 0 ? names.map((name) => `${verb} ${name}`).join('\n') : 'nothing to remove',
    data: result,
  };
};
