import type { RequestListener } from 'node:http';
import type { EngineAdapters } from '../createEngine.ts';
import type { Foundation } from './foundation.ts';
import type { RecordedResponses } from '../warmUp/recordedUpstream.ts';
import { warmUp, type WarmUpOptions } from '../warmUp/warmUp.ts';
import { type WarmUpAdapters, warmUpAdapters } from '../warmUp/warmUpAdapters.ts';

/** How a site warms up its shell: by recorded pages without anything personal. */
export interface SiteWarmUp {
  readonly pathOf: WarmUpOptions['pathOf'];
  readonly responseAt: RecordedResponses;
  /** The site's app over other adapters. */
  readonly createApp: (adapters: WarmUpAdapters) => RequestListener;
}

/** Enough for the code to be compiled, whatever the time allows. */
const MAX_PAGES = 200;
/** By default; ADR 59 has the figures. A developer's start is not delayed. */
const SECONDS = 1.5;

/**
 * Renders recorded pages, so that the first visitors don't pay for the compilation of what every page runs: in the shell,
 * and in the processes of its releases. Needs neither registry nor upstream, and never rejects.
 */
export async function warmUpSite(
  site: () => SiteWarmUp,
  adapters: EngineAdapters,
  { config, plan, calls = plan.calls, parse, logger }: Foundation,
): Promise<void> {
  const { warmUpSeconds: seconds = config.LOCAL_MODE ? 0 : SECONDS } = config.RENDER_LIMITS;
  // Without releases, pages run little of what visitors will see.
  if (seconds === 0 || adapters.releases.live().size === 0) return;
  const { pathOf, responseAt, createApp } = site();
  const ending = new AbortController();
  const app = createApp(
    warmUpAdapters(adapters, {
      calls,
      parse,
      responseAt,
      logLevel: config.LOG_LEVEL,
      onCostly: () => ending.abort(),
    }),
  );
  const [host = `localhost:${config.PORT}`] = config.SITE_HOSTS;
  const { pages, failed, ms } = await warmUp(app, {
    pathOf,
    host,
    maxPages: MAX_PAGES,
    cpuMs: seconds * 1_000,
    signal: ending.signal,
  });
  logger[failed > 0 ? 'warn' : 'info']({ ms, done: pages - failed, failed }, 'warmed up');
}
