import { readFileSync } from 'node:fs';

/** Ticks a second of /proc on Linux. */
const TICKS = 100;

/** CPU seconds that a process and its threads have used, user and system (proc(5): fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in field 2 may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
