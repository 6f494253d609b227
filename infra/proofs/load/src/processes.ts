import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Threads of a process now. */
export const threadCount = (pid: number): number => readdirSync(`/proc/${pid}/task`).length;

/** Where a service that was started with `--inspect` lets itself be inspected, out of its log. */
export function inspectorUrl(dataDir: string, service: string): string {
  const log = readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8');
  const url = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (url === undefined) throw new Error(`${service} cannot be inspected`);
  return url;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string };
}

/**
 * Collects the garbage of a process's main thread and of each of its workers,
 * by the inspector's protocol: what is measured afterwards is kept, not litter.
 */
export async function collectGarbage(url: string): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
  });
  let lastId = 0;
  const waiting = new Map<number, () => void>();
  const workers: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params } = JSON.parse(String(data)) as Message;
    if (id !== undefined) waiting.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker' && params) workers.push(params.sessionId);
  });
  const call = (method: string, params: object = {}) =>
    new Promise<void>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  try {
    await call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
    // Twice: what the first one finalises, the second one frees.
    for (let pass = 0; pass < 2; pass += 1) {
      await call('HeapProfiler.collectGarbage');
      for (const sessionId of workers) await call('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
    await call('NodeWorker.disable');
  } finally {
    socket.close();
  }
}
