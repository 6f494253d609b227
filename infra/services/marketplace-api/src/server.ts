import { createServer } from 'node:http';
import type { Logger } from '@forecourt/service-kit/log';
import { setTimeout as wait } from 'node:timers/promises';
import { Alarm } from '@forecourt/service-kit/alarm';
import { createLog } from '@forecourt/service-kit/log';
import { closeGently, STOP_MS, stopOnSignals } from '@forecourt/service-kit/gracefulStop';
import { failStart } from '@forecourt/service-kit/start';
import { patientSql } from '@forecourt/service-kit/patientSql';
import { startTracing } from '@forecourt/service-kit/tracing';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { NO_CONTENT, openIndex } from './search/index.ts';
import { loadDemoData } from './demoData.ts';
import { listenToStock, openStock, openUserStorage } from './openStorage.ts';
import { runJobs } from './jobs.ts';
import { createServices, createSharedIndexer, INDEX_TURN } from './services.ts';
import { createIndexFeed, createStockLog } from './inventory/index.ts';

/** ms between two checks for writes of other processes. */
const FEED_INTERVAL_MS = 500;
/** ms between two attempts to load the index. */
const LOAD_RETRY_MS = 500;
/** ms; longer than the idle timeout of callers, so that no connection closes under a request. */
const KEEP_ALIVE_MS = 65_000;

const SERVICE = 'marketplace-api';

/** Loads the index as soon as its engine responds, and has what is shared. */
async function loadIndex(load: () => Promise<number>, logger: Logger, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if ((error as { code?: string }).code !== 'SEARCH_UNAVAILABLE' || signal.aborted) throw error;
      logger.warn({ err: error }, 'waiting for the search engine');
      await wait(LOAD_RETRY_MS, undefined, { signal });
    }
  }
}

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLog(SERVICE, { level: config.LOG_LEVEL });
  const tracing = await startTracing(config, { service: SERVICE, logger });
  const started = performance.now();
  const content = config.DEMO_DATA ? (await loadDemoData(config.DEMO_DATA)).createDemoContent() : NO_CONTENT;
  const onLost = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const { people, activity } = await openUserStorage(config, onLost);
  const users = { people: patientSql(people), activity: patientSql(activity) };
  const inventory = patientSql(await openStock(config, onLost));
  const log = await createStockLog(inventory);
  const { SEARCH_URL: url } = config;
  const isShared = config.DATABASE_URL !== undefined && url !== undefined;
  const index = await openIndex({
    url,
    prefix: config.SEARCH_INDEX,
    shards: config.SEARCH_SHARDS,
    timeoutMs: config.SEARCH_TIMEOUT_MS,
    isShared,
  });
  const stockAlarm = new Alarm();
  const indexAlarm = new Alarm();
  const indexer = isShared
    ? await createSharedIndexer(
        { ...config, SEARCH_URL: url },
        { log, sql: users.people, inventory, alarm: stockAlarm },
      )
    : undefined;
  const feed = createIndexFeed(log, index);
  const services = await createServices(config, { users, inventory, feed, index, content, tracing }, logger);
  let isLoaded = false;
  const stopping = new AbortController();
  const states = { isLoaded: () => isLoaded, isReady: () => isLoaded && !stopping.signal.aborted };
  const server = createServer(createApp({ ...services.deps, ...states }, services.options));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('error', (error: NodeJS.ErrnoException) => fail(error, config.MARKETPLACE_API_PORT));
  await new Promise<void>((resolve) => server.listen(config.MARKETPLACE_API_PORT, config.HOST, resolve));
  const run = { sql: users.people, logger, signal: stopping.signal };
  // It serves no older stock than the others: the index, when they do; otherwise, an index that may be days old must catch up.
  const least = (await indexer?.isServed()) ? 0 : await log.lastChange();
  const indexing = indexer ? runJobs([indexer.job], run) : undefined;
  const listings = await loadIndex(() => feed.load(least), logger, stopping.signal);
  // ZIP codes are read on first use, which would take longer than the first page waits for its city.
  services.deps.zips.lookup('60601');
  isLoaded = true;
  const startMs = Math.round(performance.now() - started);
  logger.info({ listings, startMs, address: server.address() }, 'listening');

  const jobs = runJobs([...services.jobs, ...(indexer ? [indexer.serving] : [])], run);
  const feedAlarm = isShared ? indexAlarm : stockAlarm;
  const turns = { stock: () => stockAlarm.ring(), [INDEX_TURN]: () => indexAlarm.ring() };
  const listener = config.DATABASE_URL && (await listenToStock(config.DATABASE_URL, turns, onLost));
  const stop = async () => {
    stopping.abort();
    if (listener) await listener.close();
    // Databases stay open until requests and jobs in flight have ended.
    await Promise.all([closeGently(server), jobs, indexing]);
    await indexer?.close();
    await index.close();
    await services.close();
    await tracing.close();
  };
  stopOnSignals(stop, { deadlineMs: STOP_MS, logger });

  while (!stopping.signal.aborted) {
    let changed = 0;
    try {
      changed = await feed.catchUp();
      if (changed > 0) logger.info({ changed, listings: index.size }, 'inventory changed');
    } catch (error) {
      logger.error({ err: error }, 'inventory could not be read');
    }
    // One change is found at once. Each clears caches, so a series of them is found twice a second.
    const { signal } = stopping;
    if (changed === 0) await feedAlarm.pause(FEED_INTERVAL_MS, signal);
    else await wait(FEED_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

const fail = (error: unknown, port?: number): never =>
  failStart(SERVICE, error, { ...(port !== undefined && { port }), portKey: 'MARKETPLACE_API_PORT' });

// Files are for this process's own user.
process.umask(0o077);
serve().catch((error: unknown) => fail(error));
