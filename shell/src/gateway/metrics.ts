import { Counter, Histogram, type Registry } from 'prom-client';

export interface GatewayMetrics {
  /** Starts the clock of one call; the answer stops it with its outcome. */
  readonly start: (call: string) => (outcome: string) => void;
}

export function createGatewayMetrics(registry: Registry): GatewayMetrics {
  const seconds = new Histogram({
    name: 'forecourt_call_seconds',
    help: 'Time of each upstream call, with its outcome, in seconds',
    labelNames: ['call', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 5, 20],
    registers: [registry],
  });
  const fallbacks = new Counter({
    name: 'forecourt_call_failures_total',
    help: 'Upstream calls without a usable answer, by code',
    labelNames: ['call', 'code'],
    registers: [registry],
  });
  return {
    start(call) {
      const stop = seconds.startTimer({ call });
      return (outcome) => {
        stop({ outcome });
        if (outcome !== 'ok') fallbacks.inc({ call, code: outcome });
      };
    },
  };
}
