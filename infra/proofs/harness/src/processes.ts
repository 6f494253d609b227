import { readFileSync } from 'node:fs';

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

/** Kills a service with SIGKILL and waits until it is gone. */
export async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('the service is not running');
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
