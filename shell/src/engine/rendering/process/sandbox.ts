import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { Duplex, Readable } from 'node:stream';
import { seccompFilter } from './seccomp.ts';
import { UsageReader, type UsageSource } from './usage.ts';
import { withoutInherited } from './withoutInherited.ts';
import { messageOf } from '../../universal/messageOf.ts';

/** From weakest to strictest. */
export const SANDBOX_LEVELS = ['process', 'namespaces'] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

/** A started process whose program talks over `channel`. */
export interface SandboxedProcess {
  readonly child: ChildProcess;
  readonly channel: Duplex;
  /** As seen by the shell; resolves when the program's own process exists. */
  readonly pid: Promise<number>;
  /** What that process uses. */
  readonly usage: Promise<UsageSource>;
  /**
   * Makes the kernel refuse new files, sockets, threads and processes to the running program, which has what it needs. Call
   * it before the program loads a release.
   */
  readonly seal: () => Promise<void>;
}

/** Starts the program of a release's process. */
export interface Sandbox {
  readonly level: SandboxLevel;
  /** What each start adds to the level, or what is missing from it on this machine; for logs and health. */
  readonly notes: readonly string[];
  readonly start: () => SandboxedProcess;
}

export interface SandboxOptions {
  /** The built program: one file without dependencies. */
  readonly program: string;
  /** Node's limits of its heap; MB. */
  readonly heapMb: number;
  readonly youngMb: number;
}

/** Heap of a release's process; MB. Double the young generation takes no less CPU, and 15 MB more per release. */
export const RELEASE_HEAP = { heapMb: 192, youngMb: 8 };

/** Debian's `nobody` and `nogroup`, as which the process runs inside its namespace. */
const NOBODY = 65_534;
/** Users without files or names, which systemd reserves for services like this. */
const USERS = { first: 61_184, count: 4_096 };
/** Data segment of a process; bytes. Node itself stays far below; a release's allocations fail above. */
const MAX_DATA_BYTES = 1_500_000_000;
const MAX_OPEN_FILES = 64;

/**
 * Of what a child inherits: another working directory, and a session of its own, so without a controlling terminal, whose keys
 * would end releases before the shell. Node resets signals for its children; the shell's umask is its own.
 */
const OF_ITS_OWN = { cwd: '/', detached: true } as const;

/** Node's own restrictions: the second wall, never the only one. */
const nodeArguments = ({ heapMb, youngMb }: SandboxOptions, program: string) => [
  '--permission',
  `--allow-fs-read=${program}`,
  `--max-old-space-size=${heapMb}`,
  `--max-semi-space-size=${youngMb}`,
  // One helper thread of V8 instead of one per core.
  '--v8-pool-size=1',
  // For the program, which takes it away from the release.
  '--expose-gc',
  // The permission model covers neither.
  '--no-experimental-sqlite',
  '--disable-sigusr1',
  // Containers may be ES modules.
  '--experimental-vm-modules',
  '--no-warnings',
  program,
];

/** Dates are formatted in the shell's time zone, as they were before they left it. */
const environment = (): Record<string, string> => ({
  NODE_ENV: 'production',
  UV_THREADPOOL_SIZE: '1',
  TZ: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

const limitArguments = ['--core=0', '--fsize=0', `--nofile=${MAX_OPEN_FILES}`, `--data=${MAX_DATA_BYTES}`];

/**
 * A limit of 0 leaves open descriptors and running threads alone, and the process cannot raise it. Closed descriptors
 * can't be used again either: a new one would have to be below 0. Set as the process's user, because root may lack the
 * capability to set limits of others.
 */
async function sealProcess(pid: number, user: number | undefined): Promise<void> {
  if (process.platform !== 'linux') return;
  await promisify(execFile)('prlimit', ['--pid', String(pid), '--nofile=0:0', '--nproc=0:0'], {
    env: {},
    cwd: '/',
    ...(user !== undefined && { uid: user, gid: user }),
  });
}

/** A user per process, so that releases cannot signal or inspect each other. Shells on one machine start apart. */
function createUsers(switchesUser: boolean): () => number | undefined {
  let last = process.pid;
  return () => {
    if (!switchesUser) return undefined;
    last += 1;
    return USERS.first + (last % USERS.count);
  };
}

/** The shared libraries of the Node binary, by path. */
async function nodeLibraries(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [process.execPath]);
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path as string);
}

/** Only root may start processes as other users. */
const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Namespaces of its own for users, processes, network, mounts, IPC and host name; a read-only root with Node, its
 * libraries and the program; no /proc; no capabilities; and a system call filter.
 */
async function createNamespaces(options: SandboxOptions, switchesUser: boolean): Promise<Sandbox> {
  const filter = seccompFilter();
  if (!filter) throw new Error(`no system call filter for ${process.arch}`);
  const libraries = await nodeLibraries();
  const program = `/${basename(options.program)}`;
  const bind = (from: string, to = from) => ['--ro-bind', from, to];
  const bwrap = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'],
    ...['--hostname', 'release'],
    ...['--uid', String(NOBODY), '--gid', String(NOBODY), '--clearenv'],
    ...Object.entries(environment()).flatMap(([name, value]) => ['--setenv', name, value]),
    ...libraries.flatMap((path) => bind(path)),
    ...bind(process.execPath, '/node'),
    ...bind(options.program, program),
    ...['--remount-ro', '/', '--chdir', '/', '--seccomp', '4', '--info-fd', '5'],
    ...['/node', ...nodeArguments(options, program)],
  ];
  const command = [...limitArguments, '--', 'bwrap', ...bwrap];
  const stdio = withoutInherited(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']);
  const nextUser = createUsers(switchesUser);
  return {
    level: 'namespaces',
    notes: switchesUser ? [] : ['the process keeps the shell’s own user outside of its namespace'],
    start() {
      const user = nextUser();
      const child = spawn('prlimit', command, {
        ...OF_ITS_OWN,
        stdio,
        env: {},
        ...(user !== undefined && { uid: user, gid: user }),
      });
      const [, , , channel, seccomp, info] = child.stdio as unknown as (Duplex & Readable)[];
      seccomp?.on('error', () => {});
      seccomp?.end(filter);
      const pid = readPid(info as Readable);
      return {
        child,
        channel: channel as Duplex,
        pid,
        usage: pid.then((id) => new UsageReader(id)),
        seal: async () => sealProcess(await pid, user),
      };
    },
  };
}

/** The process id that bwrap reports. Never rejects: a start that fails ends the child, which is noticed. */
async function readPid(info: Readable): Promise<number> {
  let text = '';
  try {
    for await (const chunk of info) {
      text += String(chunk);
      if (text.includes('}')) break;
    }
    return (JSON.parse(text) as { 'child-pid': number })['child-pid'];
  } catch {
    return new Promise(() => {});
  }
}

/** Limits, no new privileges and another user, by util-linux. */
const wrapProcess = (node: readonly string[], user: number | undefined): readonly string[] => [
  ...['prlimit', ...limitArguments, '--', 'setpriv', '--pdeathsig=KILL', '--no-new-privs'],
  ...(user === undefined
    ? []
    : [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all']),
  ...['--', ...node],
];

/** A process without environment and with limits; the weakest level, for systems without namespaces. */
function createProcess(options: SandboxOptions, switchesUser: boolean): Sandbox {
  const node = [process.execPath, ...nodeArguments(options, options.program)];
  const isLinux = process.platform === 'linux';
  const stdio = withoutInherited(['ignore', 'pipe', 'pipe', 'pipe']);
  const nextUser = createUsers(switchesUser);
  return {
    level: 'process',
    notes: [
      'readable files are kept from a release by the permission model of Node and the limits of the process only',
      ...(switchesUser ? [] : ['the process keeps the shell’s own user, and may signal its other processes']),
      ...(isLinux ? [] : ['limits of CPU time, memory, files and the network need Linux']),
    ],
    start() {
      const user = nextUser();
      const [command = '', ...args] = isLinux ? wrapProcess(node, user) : node;
      const child = spawn(command, args, { ...OF_ITS_OWN, stdio, env: environment() });
      const pid = child.pid === undefined ? new Promise<never>(() => {}) : Promise.resolve(child.pid);
      return {
        child,
        channel: child.stdio[3] as Duplex,
        pid,
        usage: pid.then((id) => new UsageReader(id)),
        seal: async () => sealProcess(await pid, user),
      };
    },
  };
}

const describe = (error: unknown) => messageOf(error).slice(0, 500);

export interface ChosenSandbox {
  readonly sandbox: Sandbox;
  /** Why stricter levels were not chosen. */
  readonly refused: readonly { readonly level: SandboxLevel; readonly reason: string }[];
}

/**
 * The strictest level that works here, or the one asked for. `probe` starts the program once and rejects if it does not
 * say that it runs. Rejects when no level works.
 */
export async function chooseSandbox(
  wanted: SandboxLevel | 'strictest',
  options: SandboxOptions,
  probe: (sandbox: Sandbox) => Promise<void>,
): Promise<ChosenSandbox> {
  const users = isRoot() ? [true, false] : [false];
  const candidates: readonly (readonly [SandboxLevel, () => Promise<Sandbox>])[] = [
    ...users.map((switches) => ['namespaces', () => createNamespaces(options, switches)] as const),
    ...users.map((switches) => ['process', async () => createProcess(options, switches)] as const),
  ];
  const refused: { level: SandboxLevel; reason: string }[] = [];
  for (const [level, create] of candidates) {
    if (wanted !== 'strictest' && wanted !== level) continue;
    try {
      const sandbox = await create();
      await probe(sandbox);
      return { sandbox, refused };
    } catch (error) {
      refused.push({ level, reason: describe(error) });
    }
  }
  const reasons = refused.map(({ level, reason }) => `${level}: ${reason}`).join('; ');
  throw new Error(`no sandbox for releases (${reasons}); see RELEASE_ISOLATION`);
}
