import { setTimeout as wait } from 'node:timers/promises';

/** Looks every `everyMs` until `look` is true. @throws Error that names what did not come within `limitMs` */
export async function until(
  what: string,
  look: () => Promise<boolean> | boolean,
  { limitMs = 30_000, everyMs = 25 }: { limitMs?: number; everyMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${limitMs / 1000} s`);
    await wait(everyMs);
  }
}
