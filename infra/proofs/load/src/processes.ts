import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Polls every `everyMs` until `isTrue`. @throws Error that names `what` after `limitMs` */
export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  { limitMs = 30_000, everyMs = 25 }: { limitMs?: number; everyMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`timeout after ${limitMs / 1000} s: ${what}`);
    await wait(everyMs);
  }
}

/** Current number of threads of a process. */
export const threadCount = (pid: number): number => readdirSync(`/proc/${pid}/task`).length;

/** The inspector's URL of a service that was started with `--inspect`, from its log. */
export function inspectorUrl(dataDir: string, service: string): string {
  const log = readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8');
  const url = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (url === undefined) throw new Error(`the log of ${service} has no inspector URL`);
  return url;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string };
}

/**
 * Collects garbage in a process's main thread and each of its workers through the inspector, so that memory measured
 * afterwards is in use.
 */
export async function collectGarbage(url: string): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
  });
  let lastId = 0;
  const pending = new Map<number, () => void>();
  const workers: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params } = JSON.parse(String(data)) as Message;
    if (id !== undefined) pending.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker' && params) workers.push(params.sessionId);
  });
  const call = (method: string, params: object = {}) =>
    new Promise<void>((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  try {
    await call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
    // Twice: objects with finalizers are freed by the second pass.
    for (let pass = 0; pass < 2; pass += 1) {
      await call('HeapProfiler.collectGarbage');
      for (const sessionId of workers) await call('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
    await call('NodeWorker.disable');
  } finally {
    socket.close();
  }
}
