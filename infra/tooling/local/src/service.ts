import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LocalError, REPOSITORY } from './repository.ts';
import type { ServiceName } from './config.ts';

/** ms from SIGTERM to SIGKILL. */
const STOP_MS = 5000;
/** Loading a million listings into OpenSearch takes two minutes. */
const READY_MS = 300_000;
const POLL_MS = 50;
const TAIL_LINES = 8;
const LINE_LENGTH = 300;
/** ms until a process that ended by itself is started again. */
const RESTART_MS = 500;

export interface ServiceStart<Name extends string = ServiceName> {
  readonly name: Name;
  /** From 1: a replica's log is `<name>-<number>.log`, and continues when it starts again. */
  readonly replica?: number;
  /** Folder and script, relative to the repository. */
  readonly folder: string;
  readonly script: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Folder for `<name>.log`. */
  readonly logDir: string;
}

export interface Service<Name extends string = ServiceName> {
  readonly name: Name;
  readonly pid: number | undefined;
  /** Resolves when `/health/ready` returns 200. @throws LocalError SERVICE_FAILED */
  ready(signal?: AbortSignal): Promise<void>;
  /** Resolves with an error message when the process exits for any reason. */
  readonly ended: Promise<LocalError>;
  /** Sends SIGTERM, then SIGKILL after five seconds. */
  stop(): Promise<void>;
}

/** Describes the exit of a service, with the end of its log. */
function describeEnd(name: string, status: string, log: string): LocalError {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES);
  const short = lines.map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line));
  const plain = lines.filter((line) => line !== '' && !line.startsWith('{'));
  // A service prints one plain line when it can't start; everything else in the log is JSON.
  const reason = plain.length === 1 ? plain.join('') : '';
  return new LocalError(
    'SERVICE_FAILED',
    reason
      ? `${name} stopped (${status}): ${reason}`
      : [`${name} stopped (${status}). The end of ${log}:`, ...short].join('\n'),
  );
}

/** Starts one service as a child process with its output in its log file. */
export function startService<Name extends string>(start: ServiceStart<Name>): Service<Name> {
  const { name, replica } = start;
  const log = join(start.logDir, `${replica === undefined ? name : `${name}-${replica}`}.log`);
  const output = openSync(log, replica === undefined ? 'w' : 'a', 0o600);
  const lean = leanProcess(start.name);
  const child: ChildProcess = spawn(
    process.execPath,
    [...lean.nodeArguments, '--import', new URL('./endWithParent.mjs', import.meta.url).href, start.script],
    {
      cwd: join(REPOSITORY, start.folder),
      env: { ...lean.environment, ...process.env, ...start.environment },
      stdio: ['ignore', output, output, 'ipc'],
      // Not in the terminal's process group: on Ctrl-C the stack stops the services in order.
      detached: process.platform !== 'win32',
    },
  );
  closeSync(output);
  let hasEnded = false;
  const ended = new Promise<LocalError>((resolve) => {
    child.once('error', (error) => {
      hasEnded = true;
      resolve(new LocalError('SERVICE_FAILED', `${start.name} can't be started: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      hasEnded = true;
      resolve(describeEnd(start.name, signal ?? `status ${String(code)}`, log));
    });
  });

  const isReady = async (): Promise<boolean> => {
    try {
      const { status } = await fetch(`http://127.0.0.1:${start.port}/health/ready`, {
        signal: AbortSignal.timeout(2000),
      });
      return status === 200;
    } catch {
      return false;
    }
  };

  return {
    name: start.name,
    pid: child.pid,
    ended,
    async ready(signal) {
      const deadline = Date.now() + READY_MS;
      while (!(await isReady())) {
        if (hasEnded) throw await ended;
        if (signal?.aborted) throw new LocalError('STOPPED', 'Stopped.');
        if (Date.now() > deadline) {
          throw new LocalError(
            'SERVICE_FAILED',
            `${start.name} is running but wasn't ready within ${READY_MS / 1000} s. See ${log}.`,
          );
        }
        await wait(POLL_MS);
      }
      // Another program may have responded on that port.
      if (hasEnded) throw await ended;
    },
    async stop() {
      if (hasEnded) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A process that is started again whenever it ends. */
interface Restartable {
  readonly pid: () => number | undefined;
  /** Resolves when the present process ends for any reason. */
  readonly ended: () => Promise<unknown>;
  /** Resolves when it is ready; rejects when it ends before, or is aborted. */
  readonly restart: (signal: AbortSignal) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface ReplicaStart extends ServiceStart {
  readonly replica: number;
}

export interface Replica extends Restartable {
  readonly name: ServiceName;
  /** From 1. */
  readonly number: number;
  readonly port: number;
}

/** A replica that has been started; it may not be ready yet. */
export function startReplica(start: ReplicaStart): Replica & Pick<Service, 'ready'> {
  let service = startService(start);
  return {
    name: start.name,
    number: start.replica,
    port: start.port,
    pid: () => service.pid,
    ready: (signal) => service.ready(signal),
    ended: () => service.ended,
    async restart(signal) {
      service = startService(start);
      await service.ready(signal);
    },
    stop: () => service.stop(),
  };
}

interface Stoppable {
  readonly stop: () => Promise<void>;
}

/** What runs, in the order of the start. */
export class Processes {
  private readonly started: Stoppable[] = [];
  private readonly restarting = new Map<Stoppable, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly onRestart: (line: string) => void;

  constructor(onRestart: (line: string) => void) {
    this.onRestart = onRestart;
  }

  /** Stops it at the end. */
  add<T extends Stoppable>(process: T): T {
    this.started.push(process);
    return process;
  }

  /** Starts a process again whenever it ends, as a platform does. */
  async keep(name: string, process: Restartable): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await process.ended();
      await wait(RESTART_MS);
      if (signal.aborted) return;
      this.onRestart(`${name} ended and is started again`);
      const restarting = process
        .restart(signal)
        // It may end again before it is ready: PostgreSQL does while processes of its predecessor run.
        .catch((error: Error) => this.onRestart(`${name}: ${error.message}`));
      this.restarting.set(process, restarting);
      await restarting;
    }
  }

  /** In reverse order, so that none misses what it calls; idempotent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const process of this.started.splice(0).reverse()) {
      await this.restarting.get(process);
      await process.stop();
    }
  }
}

/**
 * V8's limits of the heap; MB. The young generation would grow to 128 MB on a large machine. The shell's is as large as the
 * data of the pages that it writes at a time: with 8 MB they survive its collections, which takes 20 % more CPU per page.
 * The limit of its old generation is far above its need, and makes V8 collect earlier. Without one it takes 43 MB more and
 * 0.6 ms less CPU per page of 24 ms; with 1,536 MB, 13 MB less and 0.9 ms more.
 */
const HEAPS: Readonly<Record<string, { readonly young: number; readonly old?: number }>> = {
  shell: { young: 16, old: 2000 },
  'marketplace-api': { young: 16 },
};
/** Other services have little to do. */
const SMALL_HEAP: (typeof HEAPS)[string] = { young: 2 };

/**
 * How a service is started so that it needs little memory: glibc keeps freed memory in one arena per thread, and raises the
 * size from which it returns memory at once, up to 32 MB. With 128 KB (its first value) a shell with 256 connections has a
 * peak of 430 MB instead of 560, and 290 instead of 550 afterwards, for 3 % more CPU per page. Without the debugger's
 * signal, which a release with the same user could send to the shell.
 */
export function leanProcess(name: string) {
  const { young, old } = HEAPS[name] ?? SMALL_HEAP;
  return {
    nodeArguments: [
      `--max-semi-space-size=${young}`,
      ...(old === undefined ? [] : [`--max-old-space-size=${old}`]),
      '--disable-sigusr1',
    ],
    environment: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
  };
}
