import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Everything `/metrics` tells, in a register of its own so that two apps in one process do not meet. */
export function createMetrics(waitingRequests: () => number) {
  const register = new Registry();
  const registers = [register];
  new Gauge({
    name: 'registry_pointer_waits',
    help: 'Requests held until the pointers change.',
    registers,
    collect() {
      this.set(waitingRequests());
    },
  });
  return {
    register,
    publishes: new Counter({
      name: 'registry_publishes_total',
      help: 'Attempts to publish a release, by outcome: published, or the code of the error.',
      labelNames: ['outcome'],
      registers,
    }),
    pointerWrites: new Counter({
      name: 'registry_pointer_writes_total',
      help: 'Attempts to change a pointer, by verb and by outcome: done, or the code of the error.',
      labelNames: ['verb', 'outcome'],
      registers,
    }),
    servedBytes: new Counter({
      name: 'registry_served_bytes_total',
      help: 'Bytes of release files sent, by content encoding (identity or br).',
      labelNames: ['encoding'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'registry_request_seconds',
      help: 'Time from request to end of answer in seconds, by method, route and status; held requests count their wait.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
  };
}
export type RegistryMetrics = ReturnType<typeof createMetrics>;
