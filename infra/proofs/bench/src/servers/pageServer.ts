import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, leanProcess } from '@forecourt/local';

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
