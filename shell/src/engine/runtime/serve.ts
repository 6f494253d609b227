import type { Server } from 'node:http';
import { join } from 'node:path';
import { stopOnSignals } from '@forecourt/service-kit/gracefulStop';
import type { Express } from 'express';
import { openProbePort } from '../operations/probes/probePort.ts';
import type { EngineAdapters } from '../createEngine.ts';
import type { ReadinessReport } from '../operations/readiness.ts';
import type { TesterExtension } from '../overrides/server/createTester.ts';
import type { ReleasePath } from '../releases/releasePath.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { warmUpSite, type SiteWarmUp } from './warmUpSite.ts';
import type { Foundation } from './foundation.ts';
import { fail } from './runShell.ts';

const SHUTDOWN_MS = 10_000;
/** Longer than the idle timeout of load balancers (60 s), so that they close connections first. */
const KEEP_ALIVE_MS = 65_000;

/** What a site starts and ends with its shell. */
export interface SiteLife {
  /** Resolves when the site can serve pages; the shell listens afterwards. */
  readonly start?: () => Promise<unknown>;
  /** Runs after the last response. */
  readonly stop?: () => Promise<unknown>;
  /** Pages that are rendered before the first visitor comes; not called where a start must not take longer. */
  readonly warmUp?: () => SiteWarmUp;
}

/** What of an open runtime is served, and ends with the process. */
interface Served {
  readonly app: Express;
  /** Those of `app`. */
  readonly adapters: EngineAdapters;
  readonly server: Server;
  readonly graceful: { readonly stop: () => Promise<void> };
  readonly site: SiteLife | undefined;
  readonly follower: Pick<ReleasePath['follower'], 'start' | 'stop'>;
  readonly tester: Pick<TesterExtension, 'endStreams' | 'stop'>;
  readonly renderer: Pick<SlotRenderer, 'close'>;
  readonly readiness: () => ReadinessReport;
}

function listen(server: Server, { config, logger }: Foundation): void {
  const { PORT, HOST } = config;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'EADDRINUSE'
        ? `PORT_TAKEN: port ${PORT} is in use; set PORT to a free one`
        : error.message,
    ),
  );
  server.listen(PORT, HOST, () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : PORT;
    logger.info({ port, host: HOST }, 'listening');
  });
}

/** Answers probes on their own port, if there is one, from before the first release is loaded. */
async function listenForProbes(
  { config, dist, logger }: Foundation,
  readiness: () => ReadinessReport,
): Promise<{ readonly close: () => Promise<unknown> } | undefined> {
  const { PROBE_PORT: port, HOST: host } = config;
  if (port === undefined) return undefined;
  const program = join(dist, 'server/probes.cjs');
  const onEnd = (err: Error) => logger.error({ err }, 'the thread for probes ended');
  const probes = await openProbePort({ port, host, program, readiness, onEnd });
  logger.info({ port, host }, 'listening for probes');
  return probes;
}

/** Follows the registry's pointers, warms up, then listens, until a signal stops the process. */
export async function serve(foundation: Foundation, parts: Served): Promise<void> {
  const { config, limits, logger, tracing } = foundation;
  const { app, adapters, server, graceful, site, follower, tester, renderer, readiness } = parts;
  server.on('request', app);
  let isWarm = false;
  const whenWarm = ({ isReady, facts }: ReadinessReport): ReadinessReport =>
    isWarm || !isReady ? { isReady, facts } : { isReady: false, facts: { ...facts, status: 'starting' } };
  const probes = await listenForProbes(foundation, () => whenWarm(readiness()));
  await Promise.all([site?.start?.(), follower.start()]);
  if (site?.warmUp) await warmUpSite(site.warmUp, adapters, foundation);
  isWarm = true;
  listen(server, foundation);

  const stop = async () => {
    tester.endStreams();
    await graceful.stop();
    await follower.stop();
    tester.stop();
    await renderer.close();
    await Promise.all([site?.stop?.(), limits.close()]);
    await probes?.close();
    await tracing?.close();
  };
  stopOnSignals(stop, { deadlineMs: config.DRAIN_SECONDS * 1000 + SHUTDOWN_MS, logger });
}
