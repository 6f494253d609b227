import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { LocalError, REPOSITORY } from './repository.ts';

export interface ToolRun {
  /** A script that runs on this Node. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with every line of stdout and stderr. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Lines of output in the error message. */
const TAIL_LINES = 40;

/**
 * Runs a script in its own process group, so that aborting also ends its child processes. Rejects with the end of the
 * output as message, or with STOPPED when aborted.
 */
export function runTool({ script, args = [], cwd = REPOSITORY, environment, onLine, signal }: ToolRun) {
  return new Promise<void>((resolve, reject) => {
    const stopped = () => new LocalError('STOPPED', 'Stopped.');
    if (signal?.aborted) return reject(stopped());
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const tail: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (colored) => {
        const line = stripVTControlCharacters(colored);
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
        onLine?.(line);
      });
    }
    const abort = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGTERM');
      } catch {
        // It has exited already.
      }
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(stopped());
      else if (code === 0) resolve();
      else reject(new Error(tail.join('\n') || `${script} exited with status ${String(code)}`));
    });
  });
}

/** ms that processes get to end after SIGTERM. */
const END_MS = 5000;
const END_CHECK_MS = 50;

/** Sends a signal to a process group; false if no process of it is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends a child with all processes that it started, by force if they take long. */
async function endGroup(pid: number): Promise<void> {
  const deadline = Date.now() + END_MS;
  signalGroup(pid, 'SIGTERM');
  while (signalGroup(pid, 0)) {
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL');
    await wait(END_CHECK_MS);
  }
}

/**
 * Runs a script in its own process group and passes its output through; resolves with whether it succeeded. When aborted,
 * rejects after every process of the group has ended. @throws LocalError STOPPED
 */
export function runVisibly(
  script: string,
  args: readonly string[],
  options: {
    readonly signal: AbortSignal;
    readonly environment?: Readonly<Record<string, string>>;
    readonly nodeOptions?: readonly string[];
    /** Hides one stream. */
    readonly quiet?: 'stdout';
    /** Receives the output instead of the terminal. */
    readonly print?: ((text: string) => void) | undefined;
  },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return reject(new LocalError('STOPPED', 'Stopped.'));
    const output = options.print ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, [...(options.nodeOptions ?? []), script, ...args], {
      cwd: REPOSITORY,
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', options.quiet === 'stdout' ? 'ignore' : output, output],
      detached: process.platform !== 'win32',
    });
    const { print } = options;
    if (print)
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => print(text));
    const abort = () => {
      if (child.pid !== undefined)
        void endGroup(child.pid).then(() => reject(new LocalError('STOPPED', 'Stopped.')));
    };
    options.signal.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once(options.print ? 'close' : 'exit', (code) => {
      options.signal.removeEventListener('abort', abort);
      if (!options.signal.aborted) resolve(code === 0);
    });
  });
}

const PARENT_CHECK_MS = 500;

/**
 * Calls back on a signal, when the terminal closes, and when the parent exits. npm stops its shell on a signal, and that
 * shell doesn't forward it, so the parent's process id is polled.
 */
export function onStopRequest(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
