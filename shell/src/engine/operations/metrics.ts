import type { Refusal } from '@forecourt/releases/gate';
import type { Logger } from '@forecourt/service-kit/log';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SlotMetrics } from '../compose/renderSlots.ts';
import type { WorseRelease } from '../releases/predecessorWatch.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { Reporter } from './reporter.ts';
import type { RequestHandler } from 'express';
import { contextOf } from '../http/requestContext.ts';
import type { Tracing } from './tracing.ts';

export function createSlotMetrics(registry: Registry): SlotMetrics {
  const seconds = new Histogram({
    name: 'forecourt_slot_seconds',
    help: 'Time to render each slot on the server, by remote and outcome, in seconds',
    labelNames: ['remote', 'slot', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'forecourt_slot_failures_total',
    help: 'Slots that show their fallback, by release and reason',
    labelNames: ['slot', 'release', 'code'],
    registers: [registry],
  });
  const renders = new Counter({
    name: 'forecourt_release_renders_total',
    help: 'Slots rendered on the server, by release and outcome',
    labelNames: ['remote', 'release', 'outcome'],
    registers: [registry],
  });
  const reuses = new Counter({
    name: 'forecourt_slots_reused_total',
    help: 'Slots of pages that were not rendered again, because nothing that they show has changed',
    labelNames: ['slot'],
    registers: [registry],
  });
  return {
    reused: (slot) => reuses.inc({ slot }),
    start(slot, release) {
      const [remote = release] = release.split('@', 1);
      const stop = seconds.startTimer({ remote, slot });
      return (outcome) => {
        stop({ outcome });
        renders.inc({ remote, release, outcome });
        if (outcome !== 'ok') failures.inc({ slot, release, code: outcome });
      };
    },
  };
}

/** Adds a callback for each render of a release ('mfe-results@1.4.0') to the metrics, which says something about it. */
export const observeReleases = (
  metrics: SlotMetrics,
  record: (render: { remote: string; version: string; slot: string; isGood: boolean }) => void,
): SlotMetrics => ({
  ...metrics,
  start(slot, release) {
    const stop = metrics.start(slot, release);
    return (outcome, failure) => {
      stop(outcome, failure);
      const [remote = '', version] = release.split('@', 2);
      if (version === undefined || outcome === 'CANCELLED' || failure?.isOfMachine) return;
      record({ remote, version, slot, isGood: outcome === 'ok' });
    };
  },
});

/** A gauge for live releases that are worse than their predecessors. */
export function createWorseMetric(registry: Registry, worse: () => readonly WorseRelease[]): void {
  const gauge = new Gauge({
    name: 'forecourt_release_worse_than_previous',
    help: '1 for each live release with a slot that fails more often than in the release before it',
    labelNames: ['remote', 'release', 'previous', 'slot', 'where'],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const { remote, version, previous, slot, where } of worse())
        gauge.set({ remote, release: `${remote}@${version}`, previous, slot, where }, 1);
    },
  });
}

/** Gauges for the live release of each remote, suspicious pointers, and the releases refused by the gate. */
export function createReleaseMetrics(
  registry: Registry,
  {
    live,
    refused,
    suspicious,
  }: {
    readonly live: () => LiveRemotes;
    readonly refused?: (() => ReadonlyMap<string, readonly Refusal[]>) | undefined;
    readonly suspicious?: (() => object | undefined) | undefined;
  },
): void {
  new Gauge({
    name: 'forecourt_release_live',
    help: 'The live release of each remote',
    labelNames: ['remote', 'version'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [remote, release] of live()) this.set({ remote, version: release.live.manifest.version }, 1);
    },
  });
  new Gauge({
    name: 'forecourt_pointers_suspicious',
    help: '1 while the pointers of the registry are suspicious and not followed',
    registers: [registry],
    collect() {
      this.set(Number(suspicious?.() !== undefined));
    },
  });
  new Gauge({
    name: 'forecourt_release_refused',
    help: 'Releases that the pointers name and this shell refuses, by the rule of the gate',
    labelNames: ['remote', 'release', 'rule'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [release, refusals] of refused?.() ?? [])
        for (const { rule } of refusals)
          this.set({ remote: release.split('@', 1)[0] ?? '', release, rule }, 1);
    },
  });
}

const createRequestMetrics = (registry: Registry): Histogram<'route' | 'status'> =>
  new Histogram({
    name: 'forecourt_request_seconds',
    help: 'Time of each request to its last byte, by route and status, in seconds',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 20],
    registers: [registry],
  });

/** Counts results pages by cache outcome (`own`: rendered for one visitor) and exposes the cache's size. */
export function createPageCacheMetrics(
  registry: Registry,
  size: () => { readonly entries: number; readonly bytes: number } | undefined,
  tracing?: Pick<Tracing, 'cache'>,
): (outcome: string, requestId: string) => void {
  const pages = new Counter({
    name: 'forecourt_pages_total',
    help: 'Results pages by cache outcome: miss, join, hit, stale, or own for one visitor alone',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('forecourt_page_cache_pages', 'Pages in the cache', () => size()?.entries ?? 0);
  gauge(
    'forecourt_page_cache_bytes',
    'Bytes of pages in the cache, with everything compressed',
    () => size()?.bytes ?? 0,
  );
  return (outcome, requestId) => {
    pages.inc({ outcome });
    tracing?.cache(requestId, outcome);
  };
}

/** Reports failures to monitoring: an error in the log and a counter for alerts. */
export function createReporter(logger: Logger, metrics: Registry): Reporter {
  const counter = new Counter({
    name: 'forecourt_reports_total',
    help: 'Failures reported to monitoring, by code',
    labelNames: ['code'],
    registers: [metrics],
  });
  return ({ code, message, requestId }) => {
    counter.inc({ code });
    logger.error({ code, requestId, problem: message }, 'reported');
  };
}

/** Times and logs each request of a route. */
export function createMeasure({
  metrics,
  logger,
  tracing,
}: {
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly tracing?: Pick<Tracing, 'request'> | undefined;
}): (route: string) => RequestHandler {
  const requestSeconds = createRequestMetrics(metrics);
  return (route) => (request, response, next) => {
    const stop = requestSeconds.startTimer({ route });
    const endSpan = tracing?.request(request, { requestId: contextOf(request).requestId, route });
    response.on('close', () => {
      const seconds = stop({ status: String(response.statusCode) });
      const { requestId } = contextOf(request);
      const { method } = request;
      const ms = Math.round(seconds * 1000);
      logger.info({ requestId, method, route, status: response.statusCode, ms }, 'request');
      endSpan?.(response);
    });
    next();
  };
}
