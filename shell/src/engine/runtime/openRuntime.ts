import { createServer } from 'node:http';
import { checkManifest, describeRefusal } from '@forecourt/releases/gate';
import { createGracefulStop } from '@forecourt/service-kit/gracefulStop';
import type { Express } from 'express';
import { readShellAssets, type ShellAssets } from '../compose/shellAssets.ts';
import type { EngineAdapters } from '../createEngine.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { createGatewayMetrics } from '../gateway/gatewayMetrics.ts';
import { measureLoopDelay } from '../load/loadShedding.ts';
import type { ReadinessReport } from '../operations/readiness.ts';
import { buildOrigins, overrideKey } from '../overrides/server/config.ts';
import { createTester, disabledTester, type TesterExtension } from '../overrides/server/createTester.ts';
import { createReleaseArchive } from '../releases/archive.ts';
import { createFailureClaims } from '../releases/browserFailures.ts';
import { createReleasePath, type ReleasePath } from '../releases/releasePath.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { SitePlan } from '../site.ts';
import { createFoundation, type Foundation, type RuntimeOptions } from './foundation.ts';
import { openRenderer } from './openRenderer.ts';
import { serve, type SiteLife } from './serve.ts';

/** What a site's shell runs on. */
export interface Runtime {
  /** What `createEngine` takes. */
  readonly adapters: EngineAdapters & { readonly gateway: Gateway };
  readonly assets: ShellAssets;
  /** Signs and encrypts what the shell gives to browsers. */
  readonly sessionSecret: string;
  /** Follows the registry's pointers, then listens, until a signal stops the process. */
  readonly serve: (app: Express, site?: SiteLife) => Promise<void>;
}

const createUpstream = ({
  plan,
  upstreamUrl,
  calls = plan.calls,
  logger,
  metrics,
  tracing,
  parse,
}: Foundation) =>
  createGateway({
    baseUrl: upstreamUrl,
    calls,
    parse,
    metrics: createGatewayMetrics(metrics),
    trace: tracing?.calls,
    log: (event) => logger.warn(event, 'call failed'),
  });

function attachTester(
  { plan, config, upstreamUrl, limits, logger, sessionSecret }: Foundation,
  shell: { readonly releasePath: ReleasePath; readonly renderer: SlotRenderer; readonly assets: ShellAssets },
): TesterExtension {
  const key = overrideKey(config, sessionSecret);
  if (key === undefined) return disabledTester;
  const { follower, loader, provides, registry } = shell.releasePath;
  return createTester({
    site: plan,
    key,
    origins: buildOrigins(config),
    isLocal: config.LOCAL_MODE,
    followsBuilds: config.DEVELOPMENT_BUILDS,
    rendersOrigins: config.LOCAL_MODE,
    upstreamUrl,
    registry,
    live: follower.live,
    refused: follower.refused,
    // On one machine, browsers reach the registry as the shell does.
    room: () => follower.room() ?? (config.LOCAL_MODE ? `${config.REGISTRY_URL}/room` : undefined),
    check(manifest) {
      const [refusal] = checkManifest(manifest, provides);
      if (refusal) throw new Error(describeRefusal(refusal));
    },
    admit: (files, { name, version }, id) => loader.loadFrom(files, name, version, id),
    retire: shell.renderer.retire,
    css: shell.assets.css,
    limits,
    logger,
    now: Date.now,
  });
}

/** Opens everything that a site's shell runs on, as configured. Listens only when it serves. */
export async function openRuntime(plan: SitePlan, options: RuntimeOptions): Promise<Runtime> {
  const foundation = await createFoundation(plan, options);
  const { config, dist, dataDir, sessionSecret, logger, metrics, limits, tracing } = foundation;
  const { renderer, isolation } = await openRenderer(foundation);
  const trace = tracing?.registry;
  const releasePath = createReleasePath({ site: plan, config, dataDir, renderer, logger, trace });
  const assets = readShellAssets(dist, plan);
  const tester = attachTester(foundation, { releasePath, renderer, assets });
  const { follower, gate, canaries, registry, rollBack } = releasePath;

  let readiness: () => ReadinessReport = () => ({ isReady: false, facts: { status: 'starting' } });
  const server = createServer();
  const graceful = createGracefulStop(server, { drainMs: config.DRAIN_SECONDS * 1000 });
  const adapters: Runtime['adapters'] = {
    gateway: createUpstream(foundation),
    releases: follower,
    gate,
    canaries,
    rollBack,
    archive: createReleaseArchive(registry),
    failureClaims: createFailureClaims(sessionSecret, Date.now),
    renderer,
    assets,
    extension: tester,
    metrics,
    limits,
    tracing,
    isolation,
    logger,
    clock: () => new Date(),
    loopDelayMs: measureLoopDelay(),
    isStopping: graceful.isStopping,
    onReadiness: (report) => (readiness = report),
  };
  return {
    assets,
    sessionSecret,
    adapters,
    serve: (app, site) =>
      serve(foundation, {
        server,
        graceful,
        app,
        site,
        adapters,
        follower,
        tester,
        renderer,
        readiness: () => readiness(),
      }),
  };
}
