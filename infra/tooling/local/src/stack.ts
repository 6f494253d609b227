import { rmSync } from 'node:fs';
import { openLocalStorage } from '@forecourt/remote-registry/offline';
import { join, resolve } from 'node:path';
import {
  fillDatabase,
  lockDataDir,
  issueCanaryToken,
  type PublishedBuild,
  publishBuilds,
} from './dataDir.ts';
import { type LocalError, REPOSITORY } from './repository.ts';
import { type Ports, type ServiceName, claimPorts } from './config.ts';
import { type Service, type ServiceStart, startService } from './service.ts';

export interface StackOptions {
  /** Absolute path of the data folder, with logs in `logs/`. Only one stack can use it at a time. */
  readonly dataDir: string;
  /** A service without a port, or with port 0, gets a free one. */
  readonly ports?: Partial<Ports>;
  /** Generated listings; default 100,000. */
  readonly inventorySize?: number;
  /** An external OpenID Connect issuer instead of the stack's own. */
  readonly issuer?: string | undefined;
  /** Folder of the built shell, relative to the repository; default 'shell/dist'. */
  readonly shellDist?: string;
  /** Environment variables for all services; they win over the stack's own, except its ports. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborts the current step. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  /** Origins, e.g. 'http://localhost:3000'. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly ports: Ports;
  /** Process ids of the running services. */
  readonly pids: Readonly<Record<ServiceName, number | undefined>>;
  readonly dataDir: string;
  /** Resolves when a service exits unexpectedly. The others keep running until `stop`. */
  readonly failed: Promise<LocalError>;
  /** Restarts one service on the same port. @throws LocalError SERVICE_FAILED */
  restart(name: ServiceName): Promise<void>;
  /** Stops all services and unlocks the data folder. Idempotent. */
  stop(): Promise<void>;
}

/** What any set of running services has. */
export type RunningStack = Omit<Stack, 'pids' | 'restart'>;

/** A stack with reserved ports and a locked data folder; `npm start` shows its steps one by one. */
export interface StackPlan<Started extends RunningStack = Stack> {
  readonly urls: Stack['urls'];
  /** Starts what the services store their data in, where that is servers of its own. */
  readonly startEngines?: () => Promise<void>;
  fill(onShare?: (share: number) => void): Promise<void>;
  publish(
    onRelease?: (build: PublishedBuild, done: number, total: number) => void,
  ): Promise<PublishedBuild[]>;
  start(onService?: (name: ServiceName) => void): Promise<Started>;
  /** Unlocks the data folder when the stack won't be started. */
  abandon(): Promise<void> | void;
}

const DEFAULT_INVENTORY_SIZE = 100_000;

/** The shell starts last, because it calls the other services. */
export function serviceStarts(
  options: StackOptions,
  ports: Ports,
  canaryToken: string,
): Readonly<Record<ServiceName, ServiceStart>> {
  const logDir = join(options.dataDir, 'logs');
  const originsOf = (name: ServiceName) =>
    ['localhost', '127.0.0.1'].map((host) => `http://${host}:${ports[name]}`);
  // Browsers and services must use the same issuer URL.
  const issuer = options.environment?.['OIDC_ISSUER'] ?? `http://localhost:${ports.identity}`;
  const shared = {
    HOST: '127.0.0.1',
    LOCAL_MODE: 'true',
    DATA_DIR: options.dataDir,
    OIDC_ISSUER: options.issuer ?? issuer,
    ...options.environment,
  };
  return {
    'marketplace-api': {
      name: 'marketplace-api',
      folder: 'infra/services/marketplace-api',
      script: 'src/server.ts',
      port: ports['marketplace-api'],
      logDir,
      environment: {
        // Emails link to the shell.
        SITE_URL: `http://localhost:${ports.shell}`,
        ...shared,
        MARKETPLACE_API_PORT: String(ports['marketplace-api']),
      },
    },
    'remote-registry': {
      name: 'remote-registry',
      folder: 'infra/services/remote-registry',
      script: 'src/server.ts',
      port: ports['remote-registry'],
      logDir,
      environment: {
        WATCHED_SHELLS: `http://127.0.0.1:${ports.shell}`,
        ...shared,
        REGISTRY_PORT: String(ports['remote-registry']),
        // Builds are published to the data folder before it starts, whatever other services use.
        DATABASE_URL: '',
        BUCKET: '',
      },
    },
    identity: {
      name: 'identity',
      folder: 'infra/services/identity',
      script: 'src/server.ts',
      port: ports.identity,
      logDir,
      environment: {
        OIDC_CLIENTS: JSON.stringify({
          shell: { origins: originsOf('shell') },
          room: { origins: originsOf('remote-registry') },
        }),
        ...shared,
        IDENTITY_PORT: String(ports.identity),
        OIDC_ISSUER: issuer,
      },
    },
    shell: {
      name: 'shell',
      folder: 'shell',
      script: resolve(REPOSITORY, options.shellDist ?? 'shell/dist', 'server/server.cjs'),
      port: ports.shell,
      logDir,
      environment: {
        NODE_ENV: 'production',
        MARKETPLACE_API_URL: `http://127.0.0.1:${ports['marketplace-api']}`,
        REGISTRY_URL: `http://127.0.0.1:${ports['remote-registry']}`,
        ...shared,
        REGISTRY_TOKEN: canaryToken,
        PORT: String(ports.shell),
      },
    },
  };
}

/** What a planned stack has reserved. */
interface Reserved {
  readonly urls: Stack['urls'];
  readonly ports: Ports;
  /** Unlocks the data folder. */
  readonly unlock: () => void;
}

/** Starts all services; when one fails to start, stops the others and unlocks the data folder. */
async function startServices(
  options: StackOptions,
  reserved: Reserved,
  onService: ((name: ServiceName) => void) | undefined,
): Promise<Stack> {
  const { urls, ports, unlock } = reserved;
  const { dataDir, signal } = options;
  const canaryToken = await openLocalStorage(dataDir)
    .then(async (storage) => {
      const token = await issueCanaryToken(storage);
      await storage.close?.();
      return token;
    })
    .catch((error: unknown) => {
      unlock();
      throw error;
    });
  const { shell, ...others } = serviceStarts(options, ports, canaryToken);
  const running = new Map<ServiceName, Service>();
  let reportFailure: (error: LocalError) => void;
  const failed = new Promise<LocalError>((resolveFailed) => {
    reportFailure = resolveFailed;
  });
  const halt = async (name: ServiceName) => {
    const service = running.get(name);
    // A service that was removed here is stopped on purpose.
    running.delete(name);
    await service?.stop();
  };
  const stop = async () => {
    await Promise.all([...running.keys()].map(halt));
    unlock();
  };
  const launch = async (serviceStart: ServiceStart) => {
    const service = startService(serviceStart);
    running.set(service.name, service);
    void service.ended.then((error) => {
      if (running.get(service.name) === service) reportFailure(error);
    });
    try {
      await service.ready(signal);
    } catch (error) {
      await halt(service.name);
      throw error;
    }
    onService?.(service.name);
  };
  try {
    await Promise.all(Object.values(others).map(launch));
    await launch(shell);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urls,
    ports,
    dataDir,
    get pids() {
      return Object.fromEntries([...running].map(([name, { pid }]) => [name, pid])) as Stack['pids'];
    },
    failed,
    async restart(name) {
      await halt(name);
      await launch({ ...others, shell }[name]);
    },
    stop,
  };
}

/**
 * Reserves the ports and locks the data folder. Starts nothing.
 * @throws LocalError PORT_TAKEN, DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export async function planStack(options: StackOptions): Promise<StackPlan> {
  const { dataDir, inventorySize = DEFAULT_INVENTORY_SIZE, signal } = options;
  const ports = await claimPorts(options.ports ?? {});
  const unlock = lockDataDir(dataDir);
  const urls = {
    'marketplace-api': `http://localhost:${ports['marketplace-api']}`,
    'remote-registry': `http://localhost:${ports['remote-registry']}`,
    identity: `http://localhost:${ports.identity}`,
    shell: `http://localhost:${ports.shell}`,
  };

  return {
    urls,
    fill: (onShare) =>
      fillDatabase({
        dataDir,
        inventorySize,
        signal,
        environment: options.environment,
        ...(onShare ? { onShare } : {}),
      }),
    publish: (onRelease) =>
      publishBuilds({
        openStorage: () => openLocalStorage(dataDir),
        dataDir,
        ...(onRelease ? { onRelease } : {}),
      }),
    start: (onService) => startServices(options, { urls, ports, unlock }, onService),
    abandon: unlock,
  };
}

/**
 * Starts a whole local stack from the builds in the working tree (see `buildAll`): generates the inventory, publishes the
 * remotes, starts the services. For tests, benchmarks and screenshots.
 */
export const startStack = async (options: StackOptions): Promise<Stack> => carryOut(await planStack(options));

/** Takes all steps of a plan. */
export async function carryOut<Started extends RunningStack>(plan: StackPlan<Started>): Promise<Started> {
  try {
    await plan.startEngines?.();
    await Promise.all([plan.fill(), plan.publish()]);
  } catch (error) {
    await plan.abandon();
    throw error;
  }
  return plan.start();
}

/** Removes the temporary data folder of a test. */
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
