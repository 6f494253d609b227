import { describeContracts, type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import { readRelease, UsageError, type CommandLine } from '../commandLine.ts';
import {
  callRegistry,
  publishRelease,
  type RegistryAccess,
  RegistryCallError,
} from '@forecourt/release-kit/registryClient';
import { listSchema, garbageSchema } from '@forecourt/release-kit/registryResponses';
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
import { z } from 'zod';
import {
  describeHead,
  EMPTY_LOG,
  type LogEntry,
  type LogHead,
  logPageSchema,
  readEntry,
} from '@forecourt/release-kit/logEntries';
import { canonicalJson, sha256 } from '@forecourt/release-kit/canonicalJson';

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
  const { name, version, contracts, shared, slots, files } = manifest;
  const size = (paths: readonly string[]) =>
    formatKilobytes(paths.reduce((sum, path) => sum + (files[path]?.bytes ?? 0), 0));
  const all = Object.keys(files);
  return [
    `${name}@${version}, built for ${describeContracts(contracts)}; ${name} has ${describePointer(pointer)}`,
    `files: ${all.length}, for browsers ${size(all.filter((path) => path.startsWith('web/')))}`,
    ...Object.entries(slots).map(
      ([slot, { reads, loads, scripts, styles }]) =>
        `slot ${slot}: ${size([...scripts, ...styles])}${loads ? ', loads data' : ''}, needs ${reads.join(', ') || 'nothing'}`,
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

const PAGE = 1000;

/** Every entry, each verified against the one before. @throws Error which names the first broken entry */
async function* readLog(access: RegistryAccess): AsyncGenerator<{ entry: LogEntry; head: LogHead }> {
  let head = EMPTY_LOG;
  for (;;) {
    const path = `/api/log?after=${head.sequence}&limit=${PAGE}`;
    const { entries } = await callRegistry(access, { method: 'GET', path }, logPageSchema);
    if (entries.length === 0) return;
    for (const text of entries) {
      const next = readEntry(head, text);
      head = next.head;
      yield next;
    }
  }
}

/** Live releases and canaries whose manifests are not those that the log recorded. */
async function findForeign(
  access: RegistryAccess,
  publishedHashes: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, { live, canary }] of Object.entries((await readPointers(access)).remotes))
    for (const version of [live, ...(canary ? [canary.version] : [])]) {
      const label = `${name}@${version}`;
      const call = { method: 'GET' as const, path: releasePath(name, version) };
      const hash = sha256(canonicalJson(await callRegistry(access, call, z.unknown())));
      if (!publishedHashes.has(label))
        problems.push(`${label} is served, but the log doesn't contain its publication`);
      else if (publishedHashes.get(label) !== hash)
        problems.push(`${label} is not the release that was published`);
    }
  return problems;
}

/** Verifies the chain, the expected head, and the releases that are served. */
async function verify({ access, expectedHead }: CommandLine): Promise<CommandResult> {
  let newest = EMPTY_LOG;
  let isExpectedFound = expectedHead === undefined;
  const publishedHashes = new Map<string, unknown>();
  const problems: string[] = [];
  try {
    for await (const { entry, head } of readLog(access)) {
      newest = head;
      if (describeHead(head) === expectedHead) isExpectedFound = true;
      // The first publication counts: a version is used once.
      if (entry.action === 'publish' && !publishedHashes.has(entry.subject))
        publishedHashes.set(entry.subject, entry.details['manifest']);
    }
    problems.push(...(await findForeign(access, publishedHashes)));
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (!isExpectedFound)
    problems.push(`the log no longer contains entry ${expectedHead}; it was rewritten or cut`);
  const head = describeHead(newest);
  return {
    text: problems.length > 0 ? problems.join('\n') : `the log is intact; its head is ${head}`,
    data: { isIntact: problems.length === 0, head, problems },
    hasProblem: problems.length > 0,
  };
}

const describe = ({ sequence, at, by, action, subject, details }: LogEntry): string =>
  `${sequence}  ${at}  ${by}  ${action} ${subject}  ${Object.entries(details)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`;

/** `log [--limit N]`: the newest entries. `log --verify [--expect HEAD]` */
export const log: Command = async (line) => {
  rejectExtraArguments(line.args);
  if (line.expectedHead !== undefined && !line.isVerified) throw new UsageError('--expect needs --verify');
  if (line.isVerified) return verify(line);
  const entries: LogEntry[] = [];
  for await (const { entry } of readLog(line.access)) {
    entries.push(entry);
    if (entries.length > line.limit) entries.shift();
  }
  return { text: entries.map(describe).join('\n') || 'no entries', data: { entries } };
};
