import { createServer, type Server } from 'node:http';
import { createLog } from '@forecourt/service-kit/log';
import { closeGently, STOP_MS, stopOnSignals } from '@forecourt/service-kit/gracefulStop';
import { failStart } from '@forecourt/service-kit/start';
import { startTracing, type Tracing, traceMethods } from '@forecourt/service-kit/tracing';
import type { Logger } from '@forecourt/service-kit/log';
import { collectDefaultMetrics } from 'prom-client';
import { callersByToken, Credentials } from './access/credentials.ts';
import { SigningKeys } from './access/signingKeys.ts';
import { TrustedPublishers } from './access/trustedPublishers.ts';
import { readConfig, type RegistryConfig } from './config.ts';
import { createShellGates } from './gate/shellGates.ts';
import { createApp } from './http/app.ts';
import { createMetrics } from './http/operations.ts';
import { pointerEvent, TransparencyLog } from './log/transparencyLog.ts';
import { mustHavePointers, PointerBoard } from './pointers/pointerBoard.ts';
import { followPointers, PointerWaits } from './pointers/pointerWaits.ts';
import { createPeopleIssuer, type PeopleIssuer, openRoom } from './room/openRoom.ts';
import type { RegistryStorage } from './ports.ts';
import { LOCAL_BROTLI_QUALITY } from './releases/addToStore.ts';
import { openStorage } from './storage/openStorage.ts';

const SERVICE = 'remote-registry';

const listen = (server: Server, { REGISTRY_PORT, HOST }: RegistryConfig): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(REGISTRY_PORT, HOST, resolve);
  });

const fail = (error: unknown, port?: number): never =>
  failStart(SERVICE, error, { ...(port !== undefined && { port }), portKey: 'REGISTRY_PORT' });

/** Undefined without anyone who could sign in there. */
function peopleIssuer({
  OIDC_ISSUER: issuer,
  ROOM_ROLES,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  LOCAL_MODE: isHttpAllowed,
}: RegistryConfig): PeopleIssuer | undefined {
  if (issuer === undefined || ROOM_ROLES.length === 0) return undefined;
  return createPeopleIssuer({ issuer, clientId, clientSecret, isHttpAllowed });
}

async function openTracedStorage(
  config: RegistryConfig,
  { tracing, logger }: { readonly tracing: Tracing; readonly logger: Logger },
): Promise<RegistryStorage> {
  const storage = await openStorage(config, (error) =>
    logger.warn({ err: error }, 'database connection lost'),
  );
  return {
    ...storage,
    releases: traceMethods(tracing, 'storage', storage.releases, ['listReleases', 'findRelease', 'openFile']),
    pointers: traceMethods(tracing, 'storage', storage.pointers, ['readPointers', 'writePointers']),
    access: traceMethods(tracing, 'storage', storage.access, ['readAccess', 'writeAccess']),
  };
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLog(SERVICE, { level: config.LOG_LEVEL });
  const tracing = await startTracing(config, { service: SERVICE, logger });
  const storage = await openTracedStorage(config, { tracing, logger });
  const log = await TransparencyLog.open(storage.log);
  await mustHavePointers(storage.pointers, log);
  await log.recover(storage);
  if (log.problem !== undefined)
    logger.error({ reason: log.problem }, 'the log is broken; writes are refused');
  const waits = new PointerWaits();
  const metrics = createMetrics(() => waits.count);
  collectDefaultMetrics({ register: metrics.register });

  let isAccepting = true;
  const following = storage.isShared
    ? followPointers(storage.pointers, waits, {
        onError: (error) => logger.warn({ err: error }, 'pointers cannot be read'),
      })
    : undefined;
  const credentials = new Credentials(storage.access);
  const token = config.REGISTRY_TOKEN;
  const gateToken = config.GATE_TOKEN ?? token;
  const room = openRoom({
    token,
    roles: config.ROOM_ROLES,
    issuer: peopleIssuer(config),
    origin: config.ROOM_ORIGIN,
    isLocal: config.LOCAL_MODE && token === undefined,
    callerByToken: callersByToken(credentials, token),
    shellUrls: config.WATCHED_SHELLS ?? config.SHELL_URLS,
    gateToken,
  });
  if (!room) logger.warn('the control room is not built; `npm run build` builds it');
  const app = createApp(
    {
      ...storage,
      board: new PointerBoard({ ...storage, waits, onChange: (change) => log.record(pointerEvent(change)) }),
      log,
      credentials,
      keys: new SigningKeys(storage.access),
      publishers: new TrustedPublishers(config.TRUSTED_PUBLISHERS),
      ...(config.SHELL_URLS.length > 0 && {
        gates: createShellGates({
          shellUrls: config.SHELL_URLS,
          token: gateToken,
        }),
      }),
      ...(room && { room, roomOrigin: config.ROOM_ORIGIN }),
      metrics,
      logger,
      tracing,
    },
    {
      token,
      ...(config.LOCAL_MODE && { brotliQuality: LOCAL_BROTLI_QUALITY }),
      isAccepting: () => isAccepting,
      isLocal: config.LOCAL_MODE,
    },
  );
  const server = createServer(app);
  await listen(server, config).catch((error: unknown) => fail(error, config.REGISTRY_PORT));
  logger.info({ address: server.address(), dataDir: config.DATA_DIR }, 'listening');

  const stop = async () => {
    isAccepting = false;
    following?.stop();
    waits.close();
    await closeGently(server);
    await storage.close?.();
    await tracing.close();
  };
  stopOnSignals(stop, { deadlineMs: STOP_MS, logger });
}

// Files are for this process's own user.
process.umask(0o077);
start().catch((error: unknown) => fail(error));
