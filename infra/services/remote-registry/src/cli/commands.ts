import {
  type Pointers,
  pointersSchema,
  type ReleaseManifest,
  releaseManifestSchema,
} from '@forecourt/shared-contracts/slots/release';
import { publishRelease } from '../publish.ts';
import { callRegistry, type RegistryAccess } from '../registryClient.ts';
import { garbageSchema, historySchema, listSchema } from './answers.ts';
import { type CommandLine, readRelease, UsageError } from './commandLine.ts';
import { diagnose } from './doctor.ts';
import { gate } from './gate.ts';
import { override } from './override.ts';
import { startBuildServer } from './serveBuild.ts';

/** What a command has to say: to a person, and as JSON. */
export interface Outcome {
  readonly text: string;
  readonly data: unknown;
  /** The command was carried out and found something wrong. */
  readonly isBad?: boolean;
}

type Pointer = Pointers['remotes'][string];
type Command = (line: CommandLine) => Promise<Outcome>;

const pointerOf = ({ remotes }: Pointers, name: string): Pointer | undefined =>
  Object.hasOwn(remotes, name) ? remotes[name] : undefined;

const readPointers = (access: RegistryAccess) =>
  callRegistry(access, { method: 'GET', path: '/api/pointers' }, pointersSchema);

function describePointer(pointer: Pointer | undefined | null): string {
  if (!pointer) return 'nothing live';
  const { live, canary } = pointer;
  return `live ${live}${canary ? `, canary ${canary.version} at ${canary.weight} %` : ''}`;
}

async function movePointer(line: CommandLine, name: string, verb: string, body: object): Promise<Outcome> {
  const content = JSON.stringify({ ...body, ...line.origin });
  const pointers = await callRegistry(
    line.access,
    {
      method: 'POST',
      path: `/api/remotes/${encodeURIComponent(name)}/${verb}`,
      body: { type: 'application/json', content },
    },
    pointersSchema,
  );
  const pointer = pointerOf(pointers, name);
  return {
    text: `${name}: ${describePointer(pointer)} (revision ${pointers.revision})`,
    data: { remote: name, revision: pointers.revision, pointer: pointer ?? null },
  };
}

/** The words must be used up: what nobody reads was meant for something. */
function mustBeEmpty(rest: readonly string[]): void {
  if (rest.length > 0) throw new UsageError(`'${rest.join(' ')}' is too much`);
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

const publish: Command = async ({ access, args }) => {
  const [directory, ...rest] = args;
  if (directory === undefined) throw new UsageError('publish needs the DIRECTORY of a built remote');
  mustBeEmpty(rest);
  const { name, version } = await publishRelease({ ...access, directory });
  return { text: `published ${name}@${version}`, data: { name, version } };
};

const list: Command = async ({ access, args }) => {
  const [only, ...rest] = args;
  mustBeEmpty(rest);
  const path = only === undefined ? '/api/releases' : `/api/releases/${encodeURIComponent(only)}`;
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
      kilobytes(bytes),
      ...(role ? [weight === null ? role : `${role} ${weight} %`] : []),
    ].join('  '),
  );
  return { text: lines.length > 0 ? lines.join('\n') : 'no releases', data: { releases: entries } };
};

function describeManifest(manifest: ReleaseManifest, pointer: Pointer | undefined): string {
  const { name, version, contract, shared, slots, files } = manifest;
  const size = (paths: readonly string[]) =>
    kilobytes(paths.reduce((sum, path) => sum + (files[path]?.bytes ?? 0), 0));
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

const show: Command = async ({ access, args }) => {
  const { name, version: asked, rest } = readRelease(args);
  mustBeEmpty(rest);
  const pointer = pointerOf(await readPointers(access), name);
  const version = asked ?? pointer?.live;
  if (version === undefined) throw new UsageError(`${name} has nothing live: name a VERSION`);
  const path = `/api/releases/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
  const manifest = await callRegistry(access, { method: 'GET', path }, releaseManifestSchema);
  return { text: describeManifest(manifest, pointer), data: { manifest, pointer: pointer ?? null } };
};

const skipGate = ({ skipsGate }: CommandLine) => (skipsGate ? { skipGate: true } : {});

const canary: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  const [percent = '', ...more] = rest;
  mustBeEmpty(more);
  const weight = percent.trim() === '' ? NaN : Number(percent);
  if (version === undefined || !(weight >= 0 && weight <= 100))
    throw new UsageError('canary needs REMOTE VERSION PERCENT, the last a number from 0 to 100');
  return movePointer(line, name, 'canary', { version, weight, ...skipGate(line) });
};

const promote: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  mustBeEmpty(rest);
  return movePointer(line, name, 'promote', { version, ...skipGate(line) });
};

const rollback: Command = async (line) => {
  const { name, version, rest } = readRelease(line.args);
  if (version !== undefined)
    throw new UsageError('rollback takes no version: promote the one that you want back');
  mustBeEmpty(rest);
  return movePointer(line, name, 'rollback', {});
};

const history: Command = async ({ access, args, limit }) => {
  const [only, ...rest] = args;
  mustBeEmpty(rest);
  const base = only === undefined ? '/api/history' : `/api/remotes/${encodeURIComponent(only)}/history`;
  const { changes } = await callRegistry(
    access,
    { method: 'GET', path: `${base}?limit=${limit}` },
    historySchema,
  );
  const lines = changes.map(
    ({ revision, at, remote, verb, by, why, skipGate: skipped, before, after }) =>
      `${revision}  ${at}  ${by}  ${verb} ${remote}: ${describePointer(before)} -> ${describePointer(after)}${skipped ? '  WITHOUT GATE' : ''}${why ? `  (${why})` : ''}`,
  );
  return { text: lines.length > 0 ? lines.join('\n') : 'nothing was changed yet', data: { changes } };
};

const gc: Command = async ({ access, args, keepDays, keepVersions, isSure }) => {
  mustBeEmpty(args);
  const content = JSON.stringify({ keepDays, keepVersions, dryRun: !isSure });
  const answer = await callRegistry(
    access,
    { method: 'POST', path: '/api/gc', body: { type: 'application/json', content } },
    garbageSchema,
  );
  const names = answer.removed.map(({ name, version }) => `${name}@${version}`);
  const verb = isSure ? 'removed' : 'would remove';
  return {
    text: names.length > 0 ? names.map((name) => `${verb} ${name}`).join('\n') : 'nothing to remove',
    data: answer,
  };
};

const doctor: Command = async ({ access, args, shell }) => {
  mustBeEmpty(args);
  const findings = await diagnose(access, shell);
  const text = findings.map(({ isWell, what, advice }) =>
    isWell ? `ok    ${what}` : `WRONG ${what}${advice ? `: ${advice}` : ''}`,
  );
  return { text: text.join('\n'), data: { findings }, isBad: findings.some(({ isWell }) => !isWell) };
};

/** Serves until it is told to stop. */
const serve: Command = async ({ args, port }) => {
  const [directory, ...rest] = args;
  if (directory === undefined) throw new UsageError('serve needs the DIRECTORY of a built remote');
  mustBeEmpty(rest);
  const { origin, close } = await startBuildServer(directory, port);
  process.stdout.write(`${directory} is served at ${origin}; stop with Ctrl-C\n`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await close();
  return { text: 'stopped', data: { origin } };
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  publish,
  gate,
  list,
  show,
  canary,
  promote,
  rollback,
  history,
  override,
  serve,
  gc,
  doctor,
};
