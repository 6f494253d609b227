import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { takeDataDir } from './dataDir.ts';
import { fillDatabase } from './database.ts';
import type { LocalError } from './localError.ts';
import { claimPorts, type Ports, type ServiceName } from './ports.ts';
import { LOCAL_BROTLI_QUALITY, publishBuilds, type PublishedBuild } from './publishBuilds.ts';
import { REPOSITORY } from './repository.ts';
import { type Service, type ServiceStart, startService } from './service.ts';

export interface StackOptions {
  /** Absolute folder of everything durable; logs go to `logs/` in it. One stack at a time. */
  readonly dataDir: string;
  /** A service without a port (or with 0) gets a free one. */
  readonly ports?: Partial<Ports>;
  /** Generated listings; default 100,000. */
  readonly inventorySize?: number;
  /** Another OpenID Connect issuer than the stack's own. */
  readonly issuer?: string | undefined;
  /** 'worker', 'inline', or per slot; the shell's default when absent. */
  readonly slotRenderer?: string | undefined;
  /** Folder of the built shell, relative to the repository; default 'shell/dist'. */
  readonly shellDist?: string;
  /** More variables for all services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborting stops whatever step is under way. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  /** Origins, e.g. 'http://localhost:3000'. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly ports: Ports;
  /** Process ids of what runs now. */
  readonly pids: Readonly<Record<ServiceName, number | undefined>>;
  readonly dataDir: string;
  /** Resolves when a service ends that nobody stopped. The others still run: call `stop`. */
  readonly failed: Promise<LocalError>;
  /** Stops one service and starts it anew, on the same port. @throws LocalError SERVICE_FAILED */
  restart(name: ServiceName): Promise<void>;
  /** Stops all services and gives the data folder back. Safe to call twice. */
  stop(): Promise<void>;
}

/** A stack whose ports and folder are taken, step by step; `npm start` shows each step. */
export interface StackPlan {
  readonly urls: Stack['urls'];
  fill(onShare?: (share: number) => void): Promise<void>;
  publish(
    onRelease?: (build: PublishedBuild, done: number, total: number) => void,
  ): Promise<PublishedBuild[]>;
  start(onService?: (name: ServiceName) => void): Promise<Stack>;
  /** Gives everything back when the stack is not to be started after all. */
  abandon(): void;
}

const DEFAULT_INVENTORY_SIZE = 100_000;

/** The shell asks all others. */
function serviceStarts(options: StackOptions, ports: Ports): Readonly<Record<ServiceName, ServiceStart>> {
  const logDir = join(options.dataDir, 'logs');
  const hosts = ['localhost', '127.0.0.1'];
  // By its name: browsers and services must mean the same issuer.
  const issuer = `http://localhost:${ports.identity}`;
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
        // Links in mails lead to the page.
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
        REGISTRY_BROTLI_QUALITY: String(LOCAL_BROTLI_QUALITY),
        ...shared,
        REGISTRY_PORT: String(ports['remote-registry']),
      },
    },
    identity: {
      name: 'identity',
      folder: 'infra/services/identity',
      script: 'src/server.ts',
      port: ports.identity,
      logDir,
      environment: {
        ...shared,
        IDENTITY_PORT: String(ports.identity),
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ORIGINS: hosts.map((host) => `http://${host}:${ports.shell}`).join(','),
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
        ...(options.slotRenderer === undefined ? {} : { SLOT_RENDERER: options.slotRenderer }),
        ...shared,
        PORT: String(ports.shell),
      },
    },
  };
}

/**
 * Takes ports and data folder. Nothing runs yet.
 * @throws LocalError PORT_TAKEN, DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export async function planStack(options: StackOptions): Promise<StackPlan> {
  const { dataDir, inventorySize = DEFAULT_INVENTORY_SIZE, signal } = options;
  const ports = await claimPorts(options.ports ?? {});
  const giveBack = takeDataDir(dataDir);
  const urls = {
    'marketplace-api': `http://localhost:${ports['marketplace-api']}`,
    'remote-registry': `http://localhost:${ports['remote-registry']}`,
    identity: `http://localhost:${ports.identity}`,
    shell: `http://localhost:${ports.shell}`,
  };

  async function start(onService?: (name: ServiceName) => void): Promise<Stack> {
    const running = new Map<ServiceName, Service>();
    const { shell, ...others } = serviceStarts(options, ports);
    let reportFailure: (error: LocalError) => void;
    const failed = new Promise<LocalError>((resolveFailed) => {
      reportFailure = resolveFailed;
    });
    const halt = async (name: ServiceName) => {
      const service = running.get(name);
      // What is not on the list any more was meant to end.
      running.delete(name);
      await service?.stop();
    };
    const stop = async () => {
      await Promise.all([...running.keys()].map(halt));
      giveBack();
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
    publish: (onRelease) => publishBuilds({ dataDir, ...(onRelease ? { onRelease } : {}) }),
    start,
    abandon: giveBack,
  };
}

/**
 * Fills, publishes and starts a whole local Forecourt from the builds that
 * stand in the working tree (`buildAll()` makes them). For tests, measurements
 * and pictures: own ports, own folder.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const plan = await planStack(options);
  try {
    await Promise.all([plan.fill(), plan.publish()]);
  } catch (error) {
    plan.abandon();
    throw error;
  }
  return plan.start();
}

/** Removes a stack's data folder; for the temporary ones of tests. */
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
