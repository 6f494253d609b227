import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { Duplex, Readable } from 'node:stream';
import { seccompFilter } from './seccomp.ts';
import { messageOf } from '../../../both/messageOf.ts';

/** From weakest to strictest. */
export const SANDBOX_LEVELS = ['process', 'namespaces'] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

/** A started process whose program talks over `channel`. */
export interface SandboxedProcess {
  readonly child: ChildProcess;
  readonly channel: Duplex;
  /** As seen by the shell; resolves when the program's own process exists. */
  readonly pid: Promise<number>;
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

/** Debian's `nobody` and `nogroup`. */
const NOBODY = 65_534;
/** Data segment of a process; bytes. Node itself stays far below; a release's allocations fail above. */
const MAX_DATA_BYTES = 1_500_000_000;
const MAX_OPEN_FILES = 64;

/** Node's own restrictions: the second wall, never the only one. */
const nodeArguments = ({ heapMb, youngMb }: SandboxOptions, program: string) => [
  '--permission',
  `--allow-fs-read=${program}`,
  `--max-old-space-size=${heapMb}`,
  `--max-semi-space-size=${youngMb}`,
  // One helper thread of V8 instead of one per core.
  '--v8-pool-size=1',
  '--no-warnings',
  program,
];

/** Dates are formatted in the shell's time zone, as they were before they left it. */
const environment = (): Record<string, string> => ({
  NODE_ENV: 'production',
  TZ: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

const limitArguments = ['--core=0', '--fsize=0', `--nofile=${MAX_OPEN_FILES}`, `--data=${MAX_DATA_BYTES}`];

/** The shared libraries of the Node binary, by path. */
async function nodeLibraries(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [process.execPath]);
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path as string);
}

const isRoot = () => process.getuid?.() === 0;

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
  return {
    level: 'namespaces',
    notes: switchesUser ? [] : ['the process keeps the shell’s own user outside of its namespace'],
    start() {
      const child = spawn('prlimit', command, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
        env: {},
        cwd: '/',
        ...(switchesUser && { uid: NOBODY, gid: NOBODY }),
      });
      const [, , , channel, seccomp, info] = child.stdio as unknown as (Duplex & Readable)[];
      seccomp?.on('error', () => {});
      seccomp?.end(filter);
      return { child, channel: channel as Duplex, pid: readPid(info as Readable) };
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

/** A process without environment and with limits; the weakest level, for systems without namespaces. */
function createProcess(options: SandboxOptions, switchesUser: boolean): Sandbox {
  const node = [process.execPath, ...nodeArguments(options, options.program)];
  const isLinux = process.platform === 'linux';
  const user = switchesUser
    ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all']
    : [];
  const [command = '', ...args] = isLinux
    ? [
        'prlimit',
        ...limitArguments,
        '--',
        'setpriv',
        '--pdeathsig=KILL',
        '--no-new-privs',
        ...user,
        '--',
        ...node,
      ]
    : node;
  return {
    level: 'process',
    notes: [
      'network, other processes and readable files are kept from a release by Node’s permission model only',
      ...(switchesUser ? [] : ['the process keeps the shell’s own user']),
      ...(isLinux ? [] : ['limits of CPU time and memory need Linux']),
    ],
    start() {
      const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        env: environment(),
        cwd: '/',
      });
      const pid = child.pid === undefined ? new Promise<never>(() => {}) : Promise.resolve(child.pid);
      return { child, channel: child.stdio[3] as Duplex, pid };
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
 * say that it runs. Rejects when no level works or the level is below `minimum`.
 */
export async function chooseSandbox(
  wanted: SandboxLevel | 'auto',
  minimum: SandboxLevel,
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
    if (wanted !== 'auto' && wanted !== level) continue;
    if (SANDBOX_LEVELS.indexOf(level) < SANDBOX_LEVELS.indexOf(minimum)) {
      refused.push({ level, reason: `below the minimum, ${minimum}` });
      continue;
    }
    try {
      const sandbox = await create();
      await probe(sandbox);
      return { sandbox, refused };
    } catch (error) {
      refused.push({ level, reason: describe(error) });
    }
  }
  const reasons = refused.map(({ level, reason }) => `${level}: ${reason}`).join('; ');
  throw new Error(`no sandbox for releases (${reasons}); see RELEASE_SANDBOX`);
}
