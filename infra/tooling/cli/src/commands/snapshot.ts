import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { releaseManifestSchema, remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { callRegistry } from '@forecourt/release-kit/registryClient';
import { type CommandLine, readRelease, UsageError } from '../commandLine.ts';
import { zodReasons } from '@forecourt/release-kit/registryError';
import {
  type Command,
  type CommandResult,
  readPointers,
  rejectExtraArguments,
  releasePath,
} from './command.ts';
import { signedLink } from './override.ts';

const SUFFIX = '.snapshot.json';

/** As in the claims of an override token. */
const nameSchema = z.string().regex(/^[\w.-]{1,60}$/);

/** A named set of releases, one per remote. */
const snapshotSchema = z.object({
  name: nameSchema,
  /** When it was saved, ISO 8601. */
  savedAt: z.iso.datetime(),
  releases: z.record(remoteNameSchema, versionSchema),
});
type Snapshot = z.infer<typeof snapshotSchema>;

/** The live release of every remote. */
async function liveReleases({ access }: CommandLine): Promise<Record<string, string>> {
  const { remotes } = await readPointers(access);
  return Object.fromEntries(Object.entries(remotes).map(([name, { live }]) => [name, live]));
}

/** `NAME` or the path of a file. @throws UsageError */
async function readSnapshot(name: string): Promise<Snapshot> {
  const path = name.endsWith('.json') ? name : `${name}${SUFFIX}`;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = snapshotSchema.safeParse(json);
  if (!parsed.success) throw new UsageError(`${path}: ${zodReasons(parsed.error)}`);
  return parsed.data;
}

const releaseLines = (releases: Readonly<Record<string, string>>) =>
  Object.entries(releases).map(([name, version]) => `  ${name}@${version}`);

/** `save NAME [REMOTE@VERSION …]`: the live releases, with the named ones in place of theirs. */
async function save(line: CommandLine, [name = '', ...changes]: readonly string[]): Promise<CommandResult> {
  if (!nameSchema.safeParse(name).success)
    throw new UsageError(
      'snapshot save needs a NAME of up to 60 letters, digits, dots, dashes and underscores',
    );
  const releases = await liveReleases(line);
  for (const change of changes) {
    const { name: remote, version, rest } = readRelease([change]);
    rejectExtraArguments(rest);
    if (version === undefined) throw new UsageError(`'${change}' must be REMOTE@VERSION`);
    const call = { method: 'GET', path: releasePath(remote, version) } as const;
    await callRegistry(line.access, call, releaseManifestSchema);
    releases[remote] = version;
  }
  const path = join(process.cwd(), `${name}${SUFFIX}`);
  if (existsSync(path) && !line.isConfirmed)
    throw new UsageError(`${basename(path)} exists: choose another name, or replace it with --yes`);
  const snapshot: Snapshot = { name, savedAt: new Date().toISOString(), releases };
  await writeFile(path, `${JSON.stringify(snapshot, null, 2)}\n`);
  return {
    text: [`saved ${basename(path)}:`, ...releaseLines(releases)].join('\n'),
    data: { path, snapshot },
  };
}

/** `show NAME`; with `--shell`, also a link that pins the snapshot in a tester's browser. */
async function show(line: CommandLine, [name, ...rest]: readonly string[]): Promise<CommandResult> {
  if (name === undefined) throw new UsageError('snapshot show needs a NAME');
  rejectExtraArguments(rest);
  const snapshot = await readSnapshot(name);
  const lines = [`${snapshot.name}, saved at ${snapshot.savedAt}:`, ...releaseLines(snapshot.releases)];
  if (line.shell === undefined) return { text: lines.join('\n'), data: { snapshot } };
  const targets = Object.entries(snapshot.releases).map(([remote, version]) => ({
    remote,
    version,
    snapshot: snapshot.name,
  }));
  const link = await signedLink(line, targets);
  return { text: [...lines, link.text].join('\n'), data: { snapshot, ...link.data } };
}

/** `diff NAME [NAME]`: against another snapshot, by default against what is live. */
async function diff(line: CommandLine, [name, other, ...rest]: readonly string[]): Promise<CommandResult> {
  if (name === undefined) throw new UsageError('snapshot diff needs a NAME');
  rejectExtraArguments(rest);
  const before = (await readSnapshot(name)).releases;
  const after = other === undefined ? await liveReleases(line) : (await readSnapshot(other)).releases;
  const remotes = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = remotes
    .map((remote) => ({ remote, before: before[remote] ?? null, after: after[remote] ?? null }))
    .filter((change) => change.before !== change.after);
  const title = `${name} → ${other ?? 'live'}`;
  const text = changes.map(
    (change) => `  ${change.remote}: ${change.before ?? 'none'} → ${change.after ?? 'none'}`,
  );
  return {
    text: changes.length === 0 ? `${title}: no difference` : [`${title}:`, ...text].join('\n'),
    data: { changes },
  };
}

/** `snapshot save|show|diff NAME …` */
export const snapshot: Command = async (line) => {
  const [verb = '', ...args] = line.args;
  const verbs: Readonly<Record<string, typeof save>> = { save, show, diff };
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!run) throw new UsageError('snapshot needs save NAME, show NAME or diff NAME');
  return run(line, args);
};
