import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '@forecourt/service-kit/log';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EngineConfig } from '../config.ts';
import { LOAD_LEVELS, PageLoad } from './pageLoad.ts';

const LOOP_RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;

/** Measures the median delay of the event loop since the last call; ms. A single long turn is not overload. */
export function measureLoopDelay(): () => number {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();
  return () => {
    const medianMs = delays.count > 0 ? delays.percentile(50) / NS_PER_MS - LOOP_RESOLUTION_MS : 0;
    delays.reset();
    return Math.max(0, medianMs);
  };
}

/** The load of pages with its metrics; logs changes of the level only. */
export function createLoadShedding(
  {
    metrics,
    logger,
    clock,
    loopDelayMs = () => 0,
  }: {
    readonly metrics: Registry;
    readonly logger: Logger;
    readonly clock: () => Date;
    readonly loopDelayMs?: (() => number) | undefined;
  },
  { RENDER_LIMITS: { concurrent, delayMs } }: Pick<EngineConfig, 'RENDER_LIMITS'>,
): PageLoad {
  const shed = new Counter({
    name: 'forecourt_shed_total',
    help: 'What was shed under load: slot left out, page served stale, page refused with 503',
    labelNames: ['what'],
    registers: [metrics],
  });
  const load = new PageLoad({
    maxConcurrent: concurrent,
    targetMs: delayMs,
    loopDelayMs,
    now: () => clock().getTime(),
    onLevel: (loadLevel, previous) => logger.warn({ loadLevel, previous }, 'load level changed'),
    onShed: (what) => shed.inc({ what }),
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(value());
      },
    });
  gauge('forecourt_load_level', 'What is shed: 0 nothing, 1 optional slots, 2 freshness, 3 pages', () =>
    LOAD_LEVELS.indexOf(load.level),
  );
  gauge('forecourt_pages_queued', 'Pages waiting to be rendered', () => load.queueLength());
  return load;
}
