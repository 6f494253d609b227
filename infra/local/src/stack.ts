import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataDir } from './dataDir.ts';
import { fillDatabase } from './database.ts';
import type { LocalError } from './localError.ts';
import { claimPorts, type Ports, type ServiceName } from './ports.ts';
import { LOCAL_BROTLI_QUALITY, publishBuilds, type PublishedBuild } from './publishBuilds.ts';
import { type Service, type ServiceStart, startService } from './service.ts';

export interface StackOptions {
  /** Absolute folder of everything durable; logs go to `logs/` in it. One stack at a time. */
  readonly dataDir: string;
  /** A service without a port (or with 0) gets a free one. */
  readonly ports?: Partial<Ports>;
  /** Generated listings; default 100,000. */
  readonly inventorySize?: number;
  /** 'worker', 'inline', or per slot; the shell's default when absent. */
  readonly slotRenderer?: string | undefined;
  /** More variables for all three services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborting stops whatever step is under way. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  /** Origins, e.g. 'http://localhost:3000'. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly ports: Ports;
  readonly pids: Readonly<Record<ServiceName, number | undefined>>;
  readonly dataDir: string;
  /** Resolves when a service ends that nobody stopped. The others still run: call `stop`. */
  readonly failed: Promise<LocalError>;
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

/** In the order of their start: the shell asks the other two. */
function serviceStarts(options: StackOptions, ports: Ports): ServiceStart[] {
  const logDir = join(options.dataDir, 'logs');
  const shared = {
    HOST: '127.0.0.1',
    LOCAL_MODE: 'true',
    DATA_DIR: options.dataDir,
    ...options.environment,
  };
  return [
    {
      name: 'marketplace-api',
      folder: 'infra/marketplace-api',
      script: 'src/server.ts',
      port: ports['marketplace-api'],
      logDir,
      environment: { ...shared, MARKETPLACE_API_PORT: String(ports['marketplace-api']) },
    },
    {
      name: 'remote-registry',
      folder: 'infra/remote-registry',
      script: 'src/server.ts',
      port: ports['remote-registry'],
      logDir,
      environment: {
        REGISTRY_BROTLI_QUALITY: String(LOCAL_BROTLI_QUALITY),
        ...shared,
        REGISTRY_PORT: String(ports['remote-registry']),
      },
    },
    {
      name: 'shell',
      folder: 'shell',
      script: 'dist/server/server.cjs',
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
  ];
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
    shell: `http://localhost:${ports.shell}`,
  };

  async function start(onService?: (name: ServiceName) => void): Promise<Stack> {
    const running: Service[] = [];
    let isStopping = false;
    const stop = async () => {
      isStopping = true;
      await Promise.all(running.map((service) => service.stop()));
      giveBack();
    };
    const launch = async (starts: ServiceStart[]) => {
      const batch = starts.map(startService);
      running.push(...batch);
      await Promise.all(
        batch.map(async (service) => {
          await service.ready(signal);
          onService?.(service.name);
        }),
      );
    };
    try {
      const [api, registry, ...rest] = serviceStarts(options, ports);
      await launch([api, registry].filter((start) => start !== undefined));
      await launch(rest);
    } catch (error) {
      await stop();
      throw error;
    }
    const failed = new Promise<LocalError>((resolve) => {
      for (const { ended } of running) void ended.then((error) => (isStopping ? undefined : resolve(error)));
    });
    return {
      urls,
      ports,
      dataDir,
      pids: Object.fromEntries(running.map(({ name, pid }) => [name, pid])) as Stack['pids'],
      failed,
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
