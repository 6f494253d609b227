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
import { verifyServedFiles } from './verifyServedFiles.ts';
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
  const lines = entries.map(({ name, version, publishedAt, files, bytes, role, weight, development }) =>
    [
      `${name}@${version}`,
      publishedAt,
      `${files} files`,
      formatKilobytes(bytes),
      ...(role ? [weight === null ? role : `${role} ${weight} %`] : []),
      ...(development ? ['development build'] : []),
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

type Role = 'live' | 'canary' | 'previous';

/** What the log says about publications and pointers. */
class LogSummary {
  /** Hashes of the manifests as they were published, by release. */
  readonly publishedHashes = new Map<string, unknown>();
  readonly #removed = new Set<string>();
  readonly #moves = new Map<string, { revision: number; verb: LogEntry['action']; live: string }[]>();

  add({ action, subject, details }: LogEntry): void {
    const { manifest, revision, live } = details;
    // The first publication counts: a version is used once.
    if (action === 'publish' && !this.publishedHashes.has(subject))
      this.publishedHashes.set(subject, manifest);
    if (action === 'remove') this.#removed.add(subject);
    if (typeof revision !== 'number' || typeof live !== 'string') return;
    const moves = this.#moves.get(subject) ?? [];
    this.#moves.set(subject, [...moves, { revision, verb: action, live }]);
  }

  /** The release to which a rollback of the remote returns, as the registry chooses it. */
  previousOf(name: string, live: string): string | undefined {
    let earlier: string[] = [];
    let current: string | undefined;
    // Recovered entries are late.
    for (const move of (this.#moves.get(name) ?? []).toSorted((a, b) => a.revision - b.revision)) {
      if (move.verb === 'rollback') earlier = earlier.slice(0, Math.max(0, earlier.lastIndexOf(move.live)));
      else if (current !== undefined && current !== move.live) earlier = [...earlier, current];
      current = move.live;
    }
    return earlier.findLast((version) => version !== live && !this.#removed.has(`${name}@${version}`));
  }
}

/** The releases that visitors get, and those that they would get by a rollback. */
async function servedReleases(access: RegistryAccess, log: LogSummary) {
  const { remotes } = await readPointers(access);
  return Object.entries(remotes).flatMap(([name, { live, canary }]) => {
    const versions: Record<Role, string | undefined> = {
      live,
      canary: canary?.version,
      previous: log.previousOf(name, live),
    };
    return (Object.entries(versions) as [Role, string | undefined][]).flatMap(([role, version]) =>
      version === undefined || (role === 'previous' && version === canary?.version)
        ? []
        : [{ name, version, role }],
    );
  });
}

/** Problems of a release whose manifest or files are not those that the log recorded, and how many files were compared. */
async function verifyServed(
  access: RegistryAccess,
  { name, version }: { readonly name: string; readonly version: string },
  { publishedHashes }: LogSummary,
): Promise<{ readonly problems: readonly string[]; readonly files: number }> {
  const label = `${name}@${version}`;
  const call = { method: 'GET' as const, path: releasePath(name, version) };
  const served = await callRegistry(access, call, z.unknown());
  if (!publishedHashes.has(label))
    return { problems: [`${label} is served, but the log doesn't contain its publication`], files: 0 };
  if (publishedHashes.get(label) !== sha256(canonicalJson(served)))
    return { problems: [`${label} is not the release that was published`], files: 0 };
  const manifest = releaseManifestSchema.parse(served);
  const problems = await verifyServedFiles(access, { ...manifest, name, version });
  return {
    problems: problems.map((problem) => `${label}: ${problem}`),
    files: Object.keys(manifest.files).length,
  };
}

/** Verifies the chain, the expected head, and manifests and files of the releases that are served. */
async function verify({ access, expectedHead }: CommandLine): Promise<CommandResult> {
  let newest = EMPTY_LOG;
  let isExpectedFound = expectedHead === undefined;
  let fileCount = 0;
  const summary = new LogSummary();
  const verified: { name: string; version: string; role: Role }[] = [];
  const problems: string[] = [];
  try {
    for await (const { entry, head } of readLog(access)) {
      newest = head;
      if (describeHead(head) === expectedHead) isExpectedFound = true;
      summary.add(entry);
    }
    for (const release of await servedReleases(access, summary)) {
      const { problems: found, files } = await verifyServed(access, release, summary);
      problems.push(...found);
      fileCount += files;
      verified.push(release);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (!isExpectedFound)
    problems.push(`the log no longer contains entry ${expectedHead}; it was rewritten or cut`);
  const head = describeHead(newest);
  const releases = verified.map(({ name, version, role }) => `${name}@${version} (${role})`).join(', ');
  const files =
    verified.length > 0
      ? `${fileCount} files are as they were published: ${releases}`
      : 'no release is live, so no files were verified';
  return {
    text: problems.length > 0 ? problems.join('\n') : `${files}\nthe log is intact; its head is ${head}`,
    data: { isIntact: problems.length === 0, head, problems, verified },
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
