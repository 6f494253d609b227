import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** Spans of calls in the traces of their requests. */
export interface CallTrace {
  /** The returned function ends the span; undefined if the request is not traced. */
  readonly start: (call: string, requestId: string) => ((outcome: string) => void) | undefined;
  /** Name the trace to the upstream; the same for all calls of a request. */
  readonly headers: (requestId: string) => Readonly<Record<string, string>>;
}

const SUCCESSES: ReadonlySet<string> = new Set(['ok', 'unchanged', 'cached', 'skipped']);

export function createGatewayMetrics(registry: Registry) {
  const seconds = new Histogram({
    name: 'forecourt_call_seconds',
    help: 'Time of each upstream call, with its outcome, in seconds',
    labelNames: ['call', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 5, 20],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'forecourt_call_failures_total',
    help: 'Upstream calls without a usable response, by code',
    labelNames: ['call', 'code'],
    registers: [registry],
  });
  return {
    /**
     * Times one call. The outcome is `ok`, `unchanged` (304), `cached` (from the
     * response cache), `skipped` (its condition was not met), or the code of the
     * failure.
     */
    start(call: string): (outcome: string) => void {
      const stop = seconds.startTimer({ call });
      return (outcome) => {
        stop({ outcome });
        if (!SUCCESSES.has(outcome)) failures.inc({ call, code: outcome });
      };
    },
    /** Exposes the calls whose breaker is not closed. */
    watchBreakers(closed: () => Iterable<readonly [call: string, isClosed: boolean]>): void {
      new Gauge({
        name: 'forecourt_breaker_open',
        help: 'Upstream calls whose circuit breaker is open or on trial: 1, else 0',
        labelNames: ['call'],
        registers: [registry],
        collect() {
          for (const [call, isClosed] of closed()) this.set({ call }, isClosed ? 0 : 1);
        },
      });
    },
  };
}

/** Times and traces a call; the returned function ends both with its outcome. */
export function startCall(
  { metrics, trace }: { readonly metrics: GatewayMetrics; readonly trace?: CallTrace | undefined },
  call: string,
  { requestId }: { readonly requestId: string },
): (outcome: string) => void {
  const stop = metrics.start(call);
  const endSpan = trace?.start(call, requestId);
  if (!endSpan) return stop;
  return (outcome) => {
    stop(outcome);
    endSpan(outcome);
  };
}
