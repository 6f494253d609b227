import { readFileSync } from 'node:fs';
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

/** The inspector's URL of a service that was started with `--inspect`, from its log. */
export function inspectorUrl(dataDir: string, service: string): string {
  const log = readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8');
  const url = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (url === undefined) throw new Error(`the log of ${service} has no inspector URL`);
  return url;
}

/** Collects garbage in a process through the inspector, so that memory measured afterwards is in use. */
export async function collectGarbage(url: string): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
  });
  try {
    // Twice: objects with finalizers are freed by the second pass.
    for (let id = 1; id <= 2; id += 1) {
      const replied = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
      socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
      await replied;
    }
  } finally {
    socket.close();
  }
}

/** Waits until a shell sheds nothing, so that one measurement does not affect the next. */
export const untilCalm = (shell: string): Promise<void> =>
  until('the shell sheds nothing', async () => {
    const ready = (await (await fetch(`${shell}/health/ready`)).json()) as { load: string };
    return ready.load === 'normal';
  });

/** A shell's metrics as text. */
export const metricsOf = async (shell: string): Promise<string> => (await fetch(`${shell}/metrics`)).text();

/** Sum of a counter's lines that have all of these labels. */
export function countOf(metrics: string, name: string, ...labels: string[]): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
