import { cpus, loadavg } from 'node:os';

/** What the numbers were measured on; names no host. */
export function describeMachine(browser?: string): string {
  const cores = cpus();
  const parts = [
    `${cores.length} cores (${cores[0]?.model ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    browser,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Processes that wanted a core, on average over the last minute; more than the cores means others were at work. */
export const loadAverage = (): string => (loadavg()[0] ?? 0).toFixed(1);
