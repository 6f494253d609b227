import { createPostgresLedger } from '@forecourt/service-kit/postgresLedger';
import { createRateLimits, type Exchange, type RateLimits } from '@forecourt/service-kit/rateLimits';
import type { Logger } from '@forecourt/service-kit/log';
import { Gauge, Histogram, type Registry } from 'prom-client';

interface Observers {
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** Reports exchanges of shared limits: metrics, and one line when the database becomes unavailable or returns. */
function observeExchanges({ logger, metrics }: Observers): (exchange: Exchange) => void {
  const isShared = new Gauge({
    name: 'forecourt_limits_shared',
    help: '1 while rate limits count for all shells, 0 while this one counts alone because the database is unavailable',
    registers: [metrics],
  });
  const seconds = new Histogram({
    name: 'forecourt_limits_exchange_seconds',
    help: 'Time of each exchange of counts with the database, in seconds',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    registers: [metrics],
  });
  let isAvailable = true;
  isShared.set(1);
  return (exchange) => {
    const isNow = 'ms' in exchange;
    if ('ms' in exchange) seconds.observe(exchange.ms / 1000);
    if (isNow === isAvailable) return;
    isAvailable = isNow;
    isShared.set(Number(isNow));
    if ('error' in exchange) logger.warn({ err: exchange.error }, 'rate limits count for this shell alone');
    else logger.info('rate limits count for all shells again');
  };
}

/** Limits of all shells that use the database, or without one of this process. */
export const openLimits = (url: string | undefined, observers: Observers): RateLimits =>
  url === undefined
    ? createRateLimits()
    : createRateLimits({ ledger: createPostgresLedger(url), observe: observeExchanges(observers) });
