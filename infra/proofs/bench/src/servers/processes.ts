import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc on Linux. */
const TICKS = 100;

/** User and system CPU seconds of a process with its threads (proc(5): fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in field 2 may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
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
