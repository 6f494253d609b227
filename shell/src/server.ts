import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { checkManifest, describeRefusal } from '@forecourt/releases/gate';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { messageOf } from './engine/universal/messageOf.ts';
import hero from './marketplace/results/slots/hero.tsx';
import related from './marketplace/results/slots/related.tsx';
import { readConfig, type ShellConfig } from './config.ts';
import { buildOrigins, overrideKey } from './engine/overrides/server/config.ts';
import {
  createTester,
  disabledTester,
  type TesterExtension,
} from './engine/overrides/server/createTester.ts';
import { openEndedSessions } from './marketplace/accounts/backChannelLogout.ts';
import { createAccounts, type Accounts } from './marketplace/accounts/createAccounts.ts';
import { createOpenIdIssuer } from './marketplace/accounts/openIdIssuer.ts';
import { readSessionSecret } from './marketplace/accounts/sealedCookies.ts';
import { createApp } from './marketplace/app.ts';
import { readShellAssets, type ShellAssets } from './engine/compose/shellAssets.ts';
import { openLimits } from './engine/load/openLimits.ts';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { createGracefulStop, stopOnSignals } from '@forecourt/service-kit/gracefulStop';
import { countReleaseEvents, type Isolation, type ReadinessReport } from './engine/operations/readiness.ts';
import { createLog } from '@forecourt/service-kit/log';
import { measureLoopDelay } from './engine/load/loadShedding.ts';
import { openTracing, type Tracing } from './engine/operations/tracing.ts';
import { openProbePort } from './engine/operations/probes/probePort.ts';
import { createReleaseArchive } from './engine/releases/archive.ts';
import { createFailureClaims } from './engine/releases/browserFailures.ts';
import { createReleasePath, type ReleasePath } from './engine/releases/releasePath.ts';
import type { SlotRenderer } from './engine/rendering/slotRenderer.ts';
import { createInlineRenderer } from './engine/rendering/inline.ts';
import { createProcessRenderer, probeSandbox } from './engine/rendering/process/renderer.ts';
import { chooseSandbox, RELEASE_HEAP, type SandboxLevel } from './engine/rendering/process/sandbox.ts';
import { keepSlugReference } from './marketplace/urls/slugReference.ts';
import { createGateway } from './engine/gateway/gateway.ts';
import { callsWithWallet } from './marketplace/calls/callsWithWallet.ts';
import { SITE_PLAN } from './marketplace/site.ts';
import { createGatewayMetrics } from './engine/gateway/gatewayMetrics.ts';
import { openFlagSource } from './marketplace/visitor/flags.ts';

/** Shared by the steps below. */
interface Foundation {
  readonly config: ShellConfig;
  /** Folder of the built shell. */
  readonly dist: string;
  readonly dataDir: string;
  readonly sessionSecret: string;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly limits: RateLimits;
  readonly tracing: Tracing | undefined;
}

const SHUTDOWN_MS = 10_000;
/** Longer than the idle timeout of load balancers (60 s), so that they close connections first. */
const KEEP_ALIVE_MS = 65_000;

function fail(message: string): never {
  process.stderr.write(`shell: ${message}\n`);
  process.exit(1);
}

async function createFoundation(): Promise<Foundation> {
  const config = readConfig(process.env);
  const onDropped = (err: Error | undefined) => logger.warn({ err }, 'spans were not exported');
  const dist = join(__dirname, '..');
  const dataDir = resolve(dist, '../..', config.DATA_DIR);
  const sessionSecret = readSessionSecret({ ...config, DATA_DIR: dataDir });
  const tracing = await openTracing(config, { sessionSecret, onDropped });
  const logger = createLog('shell', { level: config.LOG_LEVEL, tracing });
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  return {
    config,
    dist,
    dataDir,
    sessionSecret,
    logger,
    metrics,
    limits: openLimits(config.DATABASE_URL, { logger, metrics }),
    tracing,
  };
}

interface ChosenRenderer {
  readonly renderer: SlotRenderer;
  readonly isolation: Isolation;
}

/** The renderer of releases in processes of their own. */
async function createIsolatedRenderer(
  { dist, logger, metrics }: Foundation,
  level: SandboxLevel | 'strictest',
): Promise<ChosenRenderer> {
  const program = join(dist, 'program/release.cjs');
  const chosen = await chooseSandbox(level, { program, ...RELEASE_HEAP }, probeSandbox);
  const { sandbox, refused } = chosen;
  // Not `level`, which is the severity of the line.
  logger.info({ sandbox: sandbox.level, notes: sandbox.notes, refused }, 'sandbox of releases');
  const count = countReleaseEvents(metrics);
  const renderer = createProcessRenderer({
    sandbox,
    state: SITE_PLAN.state,
    log(event) {
      count(event);
      logger.warn(event, event.event);
    },
  });
  return { renderer, isolation: { chosen, health: renderer.health } };
}

function createRenderer(foundation: Foundation): ChosenRenderer | Promise<ChosenRenderer> {
  const { config, logger } = foundation;
  const { RELEASE_ISOLATION: level = config.LOCAL_MODE ? 'strictest' : 'namespaces' } = config;
  if (level !== 'none') return createIsolatedRenderer(foundation, level);
  // A release rendered in this process may throw after its render; that must not end the shell.
  const logStray = (error: unknown) => logger.error({ err: error }, 'error outside of any request');
  process.on('uncaughtException', logStray);
  process.on('unhandledRejection', logStray);
  return {
    renderer: createInlineRenderer(SITE_PLAN),
    isolation: { chosen: undefined, health: () => [] },
  };
}

const createUpstream = ({ config, logger, metrics, tracing }: Foundation) =>
  createGateway({
    baseUrl: config.MARKETPLACE_API_URL,
    calls: callsWithWallet(config.WALLET_BASE),
    metrics: createGatewayMetrics(metrics),
    trace: tracing?.calls,
    log: (event) => logger.warn(event, 'call failed'),
  });

function createSignIn(foundation: Foundation, secret: string, { css }: ShellAssets): Accounts {
  const { config, metrics, limits, logger } = foundation;
  const issuer = createOpenIdIssuer({
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    isHttpAllowed: config.LOCAL_MODE,
  });
  const ended = openEndedSessions(config.DATABASE_URL);
  return createAccounts({ issuer, ended, secret, css, metrics, limits, logger, now: Date.now }, config);
}

function attachTester(
  { config, limits, logger }: Foundation,
  sessionSecret: string,
  shell: { readonly releasePath: ReleasePath; readonly renderer: SlotRenderer; readonly assets: ShellAssets },
): TesterExtension {
  const key = overrideKey(config, sessionSecret);
  if (key === undefined) return disabledTester;
  const { follower, loader, provides, registry } = shell.releasePath;
  return createTester({
    site: SITE_PLAN,
    key,
    origins: buildOrigins(config),
    isLocal: config.LOCAL_MODE,
    followsBuilds: config.DEVELOPMENT_BUILDS,
    rendersOrigins: config.LOCAL_MODE,
    upstreamUrl: config.MARKETPLACE_API_URL,
    registry,
    live: follower.live,
    refused: follower.refused,
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
  { config, logger }: Foundation,
  readiness: () => ReadinessReport,
): Promise<{ readonly close: () => Promise<unknown> } | undefined> {
  const { PROBE_PORT: port, HOST: host } = config;
  if (port === undefined) return undefined;
  const program = join(__dirname, 'probes.cjs');
  const onEnd = (err: Error) => logger.error({ err }, 'the thread for probes ended');
  const probes = await openProbePort({ port, host, program, readiness, onEnd });
  logger.info({ port, host }, 'listening for probes');
  return probes;
}

async function main(): Promise<void> {
  const foundation = await createFoundation();
  const { config, dist, dataDir, sessionSecret, logger, metrics, limits, tracing } = foundation;
  const { renderer, isolation } = await createRenderer(foundation);
  const gateway = createUpstream(foundation);
  const reference = keepSlugReference(gateway);
  const releasePath = createReleasePath({
    site: SITE_PLAN,
    config,
    dataDir,
    renderer,
    logger,
    trace: tracing?.registry,
  });
  const flags = await openFlagSource(foundation.config);
  const assets = readShellAssets(dist, SITE_PLAN);
  const { close: closeAccounts, ...accounts } = createSignIn(foundation, sessionSecret, assets);
  const tester = attachTester(foundation, sessionSecret, { releasePath, renderer, assets });
  const { follower, gate, canaries, registry } = releasePath;

  let readiness: () => ReadinessReport = () => ({ isReady: false, facts: { status: 'starting' } });
  const server = createServer();
  const drainMs = config.DRAIN_SECONDS * 1000;
  const graceful = createGracefulStop(server, { drainMs });
  const app = createApp(
    {
      gateway,
      reference,
      releases: follower,
      gate,
      canaries,
      archive: createReleaseArchive(registry),
      failureClaims: createFailureClaims(sessionSecret, Date.now),
      renderer,
      ownSlots: { hero, related },
      assets,
      flags,
      ...accounts,
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
    },
    config,
  );
  server.on('request', app);
  const probes = await listenForProbes(foundation, () => readiness());
  await Promise.all([reference.start(), follower.start()]);
  listen(server, foundation);

  const stop = async () => {
    tester.endStreams();
    await graceful.stop();
    reference.stop();
    await follower.stop();
    tester.stop();
    await renderer.close();
    await Promise.all([flags.close(), limits.close(), closeAccounts()]);
    await probes?.close();
    await tracing?.close();
  };
  stopOnSignals(stop, { deadlineMs: drainMs + SHUTDOWN_MS, logger });
}

// Files are for this process's own user.
process.umask(0o077);
main().catch((error: unknown) => fail(messageOf(error)));
