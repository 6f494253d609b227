import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { checkManifest, describeRefusal } from '@forecourt/shared-contracts/slots/gate';
import { pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createAccounts } from './accounts/createAccounts.ts';
import { createOpenIdIssuer } from './accounts/openIdIssuer.ts';
import { readSessionSecret } from './accounts/sessionSecret.ts';
import { createApp } from './app.ts';
import { readConfig, type RendererName } from './config.ts';
import { createBuiltInProvider } from './flags/builtInProvider.ts';
import { createFlagSource } from './flags/flagSource.ts';
import { loadProvider } from './flags/loadProvider.ts';
import { createGateway } from './gateway/gateway.ts';
import { createGatewayMetrics } from './gateway/metrics.ts';
import { createGracefulStop } from './operations/gracefulStop.ts';
import { readShellAssets } from './page/assets.ts';
import { createOverrides, overrideKey, overrideOrigins } from './overrides/createOverrides.ts';
import { createReleaseArchive } from './releases/archive.ts';
import { watchCanaries } from './releases/canaryWatch.ts';
import { createReleaseFollower } from './releases/follower.ts';
import { keepReleases } from './releases/keptRegistry.ts';
import { shellProvides } from './releases/provides.ts';
import { createRegistryClient } from './releases/registryClient.ts';
import { createReleaseLoader } from './releases/releaseLoader.ts';
import { chooseRenderer } from './rendering/chooseRenderer.ts';
import { createInlineRenderer } from './rendering/inline.ts';
import type { SlotRenderer } from './rendering/slotRenderer.ts';
import { createWorkerRenderer } from './rendering/worker/renderer.ts';
import { keepSlugReference } from './search/slugReference.ts';
import hero from './slots/hero.tsx';
import related from './slots/related.tsx';

const SHUTDOWN_MS = 10_000;
/** Longer than balancers keep a connection (60 s): they must be the ones who end it. */
const KEEP_ALIVE_MS = 65_000;

function fail(message: string): never {
  process.stderr.write(`shell: ${message}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const dist = config.SHELL_DIST ?? join(__dirname, '..');
  const logger = pino({ level: config.LOG_LEVEL, base: { service: 'shell' } });
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });

  const inUse = new Set<RendererName>([
    config.SLOT_RENDERER.preset,
    ...config.SLOT_RENDERER.perSlot.values(),
  ]);
  const makers: Record<RendererName, () => SlotRenderer> = {
    inline: createInlineRenderer,
    worker: () =>
      createWorkerRenderer({
        file: join(dist, 'server/worker.cjs'),
        log: (event) => logger.warn(event, event.event),
      }),
  };
  const renderer = chooseRenderer(
    Object.fromEntries([...inUse].map((name) => [name, makers[name]()])),
    config.SLOT_RENDERER,
  );
  if (inUse.has('inline')) {
    // Rendered in this process, a release's late throw would end it. It is the release's, not the shell's.
    const stray = (error: unknown) => logger.error({ err: error }, 'thrown outside of any request');
    process.on('uncaughtException', stray);
    process.on('unhandledRejection', stray);
  }
  const gateway = createGateway({
    baseUrl: config.MARKETPLACE_API_URL,
    metrics: createGatewayMetrics(metrics),
    log: (event) => logger.warn(event, 'call failed'),
  });
  const reference = keepSlugReference(gateway);
  const dataDir = resolve(dist, '../..', config.DATA_DIR);
  const registry = createRegistryClient(config.REGISTRY_URL, { token: config.REGISTRY_TOKEN });
  // One folder a shell: each drops what it does not use itself.
  const kept = keepReleases(registry, join(dataDir, 'shell', String(config.PORT)), (reason) =>
    logger.warn({ reason }, 'a release could not be kept'),
  );
  const provides = shellProvides();
  const loader = createReleaseLoader({ registry: kept, trialRegistry: registry, renderer, provides });
  const releases = createReleaseFollower({
    registry: kept,
    kept,
    load: loader.load,
    renderer,
    log: (event) =>
      logger[event.event === 'refused' || event.event === 'registry-away' ? 'warn' : 'info'](
        event,
        event.event,
      ),
  });

  const canaries = watchCanaries({
    live: releases.live,
    now: Date.now,
    onWorse({ remote, version, reason }) {
      logger.error({ release: `${remote}@${version}`, reason }, 'canary ended');
      releases.withdrawCanary(remote, version);
      registry.endCanary(remote, version, reason).catch((error: unknown) => {
        logger.error({ err: error, release: `${remote}@${version}` }, 'the registry did not end the canary');
      });
    },
  });
  const flags = await createFlagSource(
    config.FLAG_PROVIDER ? await loadProvider(config.FLAG_PROVIDER) : createBuiltInProvider(config.FLAGS),
  );
  const assets = readShellAssets(join(dist, 'web'));
  const sessionSecret = readSessionSecret({ ...config, DATA_DIR: dataDir });
  const accounts = createAccounts(
    {
      issuer: createOpenIdIssuer({
        issuer: config.OIDC_ISSUER,
        clientId: config.OIDC_CLIENT_ID,
        clientSecret: config.OIDC_CLIENT_SECRET,
        isHttpAllowed: config.LOCAL_MODE,
      }),
      secret: sessionSecret,
      css: `${assets.css}\n${assets.pagesCss}`,
      metrics,
      logger,
      now: Date.now,
    },
    config,
  );
  const signingKey = overrideKey(config, sessionSecret);
  const overrides =
    signingKey === undefined
      ? undefined
      : createOverrides({
          key: signingKey,
          origins: overrideOrigins(config),
          isLocal: config.LOCAL_MODE,
          rendersOrigins: config.LOCAL_MODE || config.OVERRIDE_SSR,
          upstreamUrl: config.MARKETPLACE_API_URL,
          // Not the one that keeps what it reads: nothing of a tester's release stays.
          registry,
          live: releases.live,
          refused: releases.refused,
          check(manifest) {
            const [refusal] = checkManifest(manifest, provides);
            if (refusal) throw new Error(describeRefusal(refusal));
          },
          admit: (files, { name, version }, id) => loader.loadFrom(files, name, version, id),
          retire: renderer.retire,
          css: assets.css,
          logger,
          now: Date.now,
        });
  let isStopping = () => false;
  const app = createApp(
    {
      gateway,
      reference,
      releases,
      gate: { provides, tryOut: loader.tryOut },
      canaries,
      overrides,
      archive: createReleaseArchive(registry),
      renderer,
      ownSlots: { hero, related },
      assets,
      flags,
      sessions: accounts.sessions,
      accountRoutes: accounts.routes,
      metrics,
      logger,
      clock: () => new Date(),
      isStopping: () => isStopping(),
    },
    config,
  );
  const server = createServer(app);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const drainMs = config.DRAIN_SECONDS * 1000;
  const graceful = createGracefulStop(server, { drainMs });
  isStopping = graceful.isStopping;
  server.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'EADDRINUSE' ? `port ${config.PORT} is taken; set PORT to a free one` : error.message,
    ),
  );
  await Promise.all([reference.start(), releases.start()]);
  server.listen(config.PORT, config.HOST, () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : config.PORT;
    logger.info({ port, host: config.HOST }, 'listening');
  });

  const stop = async () => {
    if (isStopping()) return;
    setTimeout(() => process.exit(1), drainMs + SHUTDOWN_MS).unref();
    await graceful.stop();
    reference.stop();
    await releases.stop();
    overrides?.stop();
    await renderer.close();
    await flags.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
