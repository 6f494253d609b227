import { cpus, loadavg } from 'node:os';

/** Cores, Node and browser version; no host name. */
export function describeMachine(browser?: string): string {
  const cores = cpus();
  const parts = [
    `${cores.length} cores (${cores[0]?.model ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    browser,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Load average of the last minute; above the number of cores, other processes were running. */
export const loadAverage = (): string => (loadavg()[0] ?? 0).toFixed(1);
