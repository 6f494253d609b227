import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** JSON lines that all replicas of a service have logged, without what Node and the service print before there is a log. */
export const logLines = (dataDir: string, service = 'shell'): readonly string[] =>
  readdirSync(join(dataDir, 'logs'))
    .filter((name) => name === `${service}.log` || /^-\d+\.log$/.test(name.slice(service.length)))
    .filter((name) => name.startsWith(service))
    .flatMap((name) => readFileSync(join(dataDir, 'logs', name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{'));

/** The lines of a log that contain all `texts`. */
export const linesWith = (lines: readonly string[], texts: readonly string[]): readonly string[] =>
  lines.filter((line) => texts.every((text) => line.includes(text)));

const WRITTEN_MS = 5000;

/**
 * The lines from `start` on that contain all `texts`, as soon as there are any, or none after five seconds. Services write
 * their logs asynchronously: a response may arrive before the lines about it.
 */
export async function loggedLines(
  dataDir: string,
  texts: readonly string[],
  { service = 'shell', start = 0 }: { readonly service?: string; readonly start?: number } = {},
): Promise<readonly string[]> {
  const deadline = Date.now() + WRITTEN_MS;
  for (;;) {
    const lines = linesWith(logLines(dataDir, service).slice(start), texts);
    if (lines.length > 0 || Date.now() > deadline) return lines;
    await wait(50);
  }
}
