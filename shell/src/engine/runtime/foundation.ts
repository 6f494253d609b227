import { resolve } from 'node:path';
import { createLog } from '@forecourt/service-kit/log';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import type { Logger } from '@forecourt/service-kit/log';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { EngineConfig } from '../config.ts';
import { createResponseParser } from '../gateway/responseParser.ts';
import { openLimits } from '../load/openLimits.ts';
import { openTracing, type Tracing } from '../operations/tracing.ts';
import type { TesterConfig } from '../overrides/server/config.ts';
import type { SitePlan } from '../site.ts';
import { readSessionSecret } from './sessionSecret.ts';

export interface RuntimeOptions {
  readonly config: EngineConfig & TesterConfig;
  /** Folder of the built shell: the parent of the program's folder. */
  readonly dist: string;
  /** Origin of the upstream. */
  readonly upstreamUrl: string;
  /** The table of upstream calls; default: the site's. */
  readonly calls?: Readonly<Record<string, CallDefinition>>;
}

/** What the steps below share. */
export interface Foundation extends RuntimeOptions {
  readonly plan: SitePlan;
  readonly dataDir: string;
  readonly sessionSecret: string;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly limits: RateLimits;
  readonly tracing: Tracing | undefined;
  /** Of the responses to upstream calls. */
  readonly parse: ReturnType<typeof createResponseParser>;
}

/** What everything else of the runtime is opened with. */
export async function createFoundation(plan: SitePlan, options: RuntimeOptions): Promise<Foundation> {
  const { config, dist } = options;
  const onDropped = (err: Error | undefined) => logger.warn({ err }, 'spans were not exported');
  const dataDir = resolve(dist, '../..', config.DATA_DIR);
  const sessionSecret = readSessionSecret({ ...config, DATA_DIR: dataDir });
  const tracing = await openTracing(config, { sessionSecret, onDropped });
  const logger = createLog('shell', { level: config.LOG_LEVEL, tracing });
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const limits = openLimits(config.DATABASE_URL, { logger, metrics });
  const parse = createResponseParser(options.calls ?? plan.calls);
  return { ...options, plan, dataDir, sessionSecret, logger, metrics, limits, tracing, parse };
}
