import { readFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, leanProcess } from '@forecourt/local';

/** Clock ticks per second in /proc on Linux. */
const TICKS = 100;

/** A process and its descendants: the shell renders each release in a process of its own. */
export function processTree(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => processTree(Number(child)))];
  } catch {
    // The process has exited since.
    return [pid];
  }
}

/** User and system CPU seconds of a process with its threads (proc(5): fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in field 2 may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const MEMORY = { resident: 'Rss', proportional: 'Pss', own: 'Anonymous' } as const;

/**
 * Memory of a process in MiB. In `proportional`, pages that several processes share count in parts, because releases share
 * Node's; `resident` counts them whole, and `own` not at all.
 */
export function memoryMiB(pid: number, kind: keyof typeof MEMORY = 'proportional'): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const [, kilobytes = 'NaN'] = new RegExp(`^${MEMORY[kind]}:\\s+(\\d+)`, 'm').exec(rollup) ?? [];
  return Number(kilobytes) / 1024;
}

type Step = () => Promise<void> | void;

/** Runs cleanup steps in reverse order, once: at the end, on failure or on interruption. */
export function createCleanup() {
  const steps: Step[] = [];
  const run = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void run().finally(() => process.exit(130)));
  return { add: (step: Step) => void steps.push(step), run };
}

const HOST = '127.0.0.1';
const READY_MS = 60_000;
const STOP_MS = 5000;

export interface ServerProcess {
  readonly name: string;
  /** Origin, e.g. 'http://127.0.0.1:41234'. */
  readonly url: string;
  readonly pid: number;
  /** Sends SIGTERM, and SIGKILL to processes still running after five seconds. */
  stop(): Promise<void>;
}

const isAnswering = async (url: string): Promise<boolean> => {
  try {
    const { status, body } = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await body?.cancel();
    return status === 200;
  } catch {
    return false;
  }
};

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** Starts a page server on a free port; resolves when `path` returns 200. Discards its log. */
export async function startServer(
  name: string,
  script: string,
  path: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort();
  const { nodeArguments, environment: lean } = leanProcess('shell');
  const child = spawn(process.execPath, [...nodeArguments, script], {
    env: {
      ...lean,
      ...process.env,
      ...environment,
      NODE_ENV: 'production',
      HOST,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://${HOST}:${port}`;
  const deadline = Date.now() + READY_MS;
  while (!(await isAnswering(url + path))) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`${name} cannot be started`);
    if (Date.now() > deadline) {
      await stopChild(child);
      throw new Error(`${name} did not respond to ${path} within ${READY_MS / 1000} s`);
    }
    await wait(100);
  }
  return { name, url, pid: child.pid ?? 0, stop: () => stopChild(child) };
}
