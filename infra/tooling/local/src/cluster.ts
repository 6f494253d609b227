import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findNginx, type Nginx, startBalancer, startEdge } from '@forecourt/deploy/nginx';
import { type BucketServer, startBucketServer } from '@forecourt/service-kit/bucketServer';
import { READ_ONLY_DISKS } from '@forecourt/service-kit/readOnlyDisks';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { canStartJavaServer, type OpenSearchNode, startOpenSearch } from '@forecourt/service-kit/javaServer';
import { openClusterStorage } from '@forecourt/remote-registry/offline';
import { claimPorts, freePort, type ServiceName } from './config.ts';
import { fillDatabase, issueCanaryToken, lockDataDir, publishBuilds } from './dataDir.ts';
import { LocalError, REPOSITORY } from './repository.ts';
import { runTool } from './runTool.ts';
import { Processes, type Replica, type ReplicaStart, startReplica } from './service.ts';
import { type RunningStack, serviceStarts, type StackOptions, type StackPlan } from './stack.ts';

/** Replicas of each service; the manifests of `infra/deploy` for several replicas have the same. */
export const REPLICAS: Readonly<Record<ServiceName, number>> = {
  'marketplace-api': 3,
  'remote-registry': 2,
  identity: 2,
  shell: 3,
};
const NAMES = Object.keys(REPLICAS) as ServiceName[];
/** Services whose tables are created before they start. */
const MIGRATED = ['marketplace-api', 'remote-registry', 'identity'] as const;

/** Connections to PostgreSQL per process and schema: all replicas together stay below the server's 60. */
const CONNECTIONS = 3;
/** Generated listings: enough for full pages of every make near big cities. */
const INVENTORY_SIZE = 20_000;

export interface Cluster extends RunningStack {
  readonly replicas: readonly Replica[];
  readonly postgres: PostgresServer;
  /** Of photos and dealers' pages. */
  readonly bucket: BucketServer;
  /** Undefined without Java and Maven: each API replica then searches in its own memory. */
  readonly search: OpenSearchNode | undefined;
}

export interface ClusterOptions extends StackOptions {
  /** Receives a line when a process has ended and is started again. */
  readonly onRestart?: (line: string) => void;
}

/** The servers that all replicas share, with the tables of all services. */
interface Engines {
  readonly postgres: PostgresServer;
  readonly bucket: BucketServer;
  readonly search: OpenSearchNode | undefined;
}

async function startEngines(options: StackOptions, processes: Processes): Promise<Engines> {
  const bin = findPostgres();
  if (bin === undefined)
    throw new LocalError('PROGRAM_MISSING', 'PostgreSQL is not installed: run apt-get install postgresql.');
  try {
    findNginx();
  } catch {
    throw new LocalError(
      'PROGRAM_MISSING',
      'nginx is not installed and cannot be downloaded: run apt-get install nginx, or set NGINX_BIN.',
    );
  }
  const postgres = processes.add(await startPostgres(bin));
  await createTables(options, postgres);
  const bucket = processes.add(await startBucketServer());
  const search = canStartJavaServer()
    ? processes.add(await startOpenSearch({ isMeasured: true }))
    : undefined;
  void processes.keep('PostgreSQL', postgres);
  void processes.keep('The bucket', bucket);
  if (search) void processes.keep('OpenSearch', search);
  return { postgres, bucket, search };
}

async function createTables({ dataDir, signal }: StackOptions, { url }: PostgresServer): Promise<void> {
  for (const name of MIGRATED) {
    const cwd = join(REPOSITORY, 'infra/services', name);
    const environment = { LOCAL_MODE: 'true', DATA_DIR: dataDir, DATABASE_URL: url };
    await runTool({ script: join(cwd, 'src/migrate.ts'), cwd, environment, signal });
  }
}

/** What the planned cluster has reserved. */
interface Reserved {
  /** Ports under which visitors and programs reach the services. */
  readonly ports: RunningStack['ports'];
  /** Of the replicas of each service. */
  readonly replicaPorts: Readonly<Record<ServiceName, readonly number[]>>;
}

/** How each replica starts: as in a stack of single services, with data that all of them share. */
function replicaStarts(
  options: StackOptions,
  { ports, replicaPorts }: Reserved,
  engines: Engines,
  canaryToken: string,
): ReplicaStart[] {
  const starts = serviceStarts(options, ports, canaryToken);
  const shells = replicaPorts.shell.map((port) => `http://127.0.0.1:${port}`).join();
  const secret = randomBytes(32).toString('base64url');
  const own: Record<ServiceName, (replica: number, port: string) => Record<string, string>> = {
    'marketplace-api': (_, port) => ({
      // As deployed: it has no data and writes no file.
      DATA_DIR: '/dev/null/data',
      NODE_OPTIONS: READ_ONLY_DISKS,
      BUCKET: `s3://forecourt/photos/?endpoint=${engines.bucket.url}&pathStyle=true`,
      AWS_ACCESS_KEY_ID: 'cluster',
      AWS_SECRET_ACCESS_KEY: 'cluster',
      MARKETPLACE_API_PORT: port,
      PUBLIC_API_URL: `http://localhost:${ports['marketplace-api']}`,
      ...(engines.search && { SEARCH_URL: engines.search.url }),
    }),
    'remote-registry': (_, port) => ({
      REGISTRY_PORT: port,
      SHELL_URLS: shells,
      WATCHED_SHELLS: shells,
    }),
    identity: (_, port) => ({ IDENTITY_PORT: port }),
    shell: (_, port) => ({ PORT: port, SESSION_SECRET: secret, TRUST_PROXY: '1', DRAIN_SECONDS: '1' }),
  };
  return NAMES.flatMap((name) =>
    replicaPorts[name].map((port, at) => ({
      ...starts[name],
      replica: at + 1,
      port,
      environment: {
        ...starts[name].environment,
        DATABASE_URL: `${engines.postgres.url}?connections=${CONNECTIONS}`,
        ...own[name](at + 1, String(port)),
      },
    })),
  );
}

/** nginx in front of the shells, as deployed, and the one behind them. */
async function startProxies(
  dataDir: string,
  { ports, replicaPorts }: Reserved,
  add: (nginx: Nginx) => Nginx,
): Promise<void> {
  const listen = (name: ServiceName) => `127.0.0.1:${ports[name]}`;
  const servers = (name: ServiceName, options: string) =>
    replicaPorts[name].map((port) => `server 127.0.0.1:${port} ${options};`).join(' ');
  const IDENTITY_SERVERS = servers('identity', 'max_fails=0');
  add(
    await startBalancer({
      EDGE_DIR: join(dataDir, 'balancer'),
      API_LISTEN: listen('marketplace-api'),
      REGISTRY_LISTEN: listen('remote-registry'),
      IDENTITY_LISTEN: listen('identity'),
      API_SERVERS: servers('marketplace-api', 'max_fails=0'),
      REGISTRY_SERVERS: servers('remote-registry', 'max_fails=0'),
      IDENTITY_SERVERS,
    }),
  );
  add(
    await startEdge(join(dataDir, 'edge'), ports.shell, {
      PUBLIC_SCHEME: 'http',
      SHELL_SERVERS: servers('shell', 'max_fails=1 fail_timeout=2s'),
      IDENTITY_SERVERS,
      IDENTITY_HOST: 'accounts.localhost',
    }),
  );
}

/** Starts all replicas, behind their proxies; when one fails to start, everything is stopped. */
async function startReplicas(
  options: StackOptions,
  reserved: Reserved,
  engines: Engines,
  processes: Processes,
  onService: ((name: ServiceName) => void) | undefined,
): Promise<Pick<Cluster, 'replicas' | 'failed'>> {
  const { dataDir, signal } = options;
  const storage = await openClusterStorage(engines.postgres.url, dataDir);
  const canaryToken = await issueCanaryToken(storage);
  await storage.close?.();
  const proxies: Nginx[] = [];
  await startProxies(dataDir, reserved, (nginx) => {
    proxies.push(nginx);
    return processes.add(nginx);
  });
  const launch = async (start: ReplicaStart): Promise<Replica> => {
    const replica = processes.add(startReplica(start));
    await replica.ready(signal);
    onService?.(start.name);
    return replica;
  };
  const starts = replicaStarts(options, reserved, engines, canaryToken);
  const isShell = ({ name }: ReplicaStart) => name === 'shell';
  // Shells call the others when they start.
  const replicas = [
    ...(await Promise.all(starts.filter((start) => !isShell(start)).map(launch))),
    ...(await Promise.all(starts.filter(isShell).map(launch))),
  ];
  for (const replica of replicas) void processes.keep(`${replica.name} ${replica.number}`, replica);
  const failed = Promise.race(proxies.map(({ ended }) => ended)).then(
    () =>
      new LocalError(
        'SERVICE_FAILED',
        `nginx ended. See nginx.log in ${dataDir}/edge and ${dataDir}/balancer.`,
      ),
  );
  return { replicas, failed };
}

/**
 * Reserves the ports and locks the data folder of a cluster: several replicas of every service behind nginx, which share
 * PostgreSQL and OpenSearch. It begins without data, because that of PostgreSQL ends with it.
 * @throws LocalError PORT_TAKEN, DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export async function planCluster(options: ClusterOptions): Promise<StackPlan<Cluster>> {
  const { dataDir, onRestart = () => undefined } = options;
  const ports = await claimPorts(options.ports ?? {});
  const unlock = lockDataDir(dataDir);
  for (const name of readdirSync(dataDir))
    if (name !== 'logs' && name !== 'stack.pid') rmSync(join(dataDir, name), { recursive: true });
  for (const log of readdirSync(join(dataDir, 'logs'))) rmSync(join(dataDir, 'logs', log));
  const taken = Object.values(ports);
  const replicaPorts = {} as Record<ServiceName, number[]>;
  for (const name of NAMES) {
    replicaPorts[name] = [];
    for (let at = 0; at < REPLICAS[name]; at += 1) {
      const port = await freePort(taken);
      taken.push(port);
      replicaPorts[name].push(port);
    }
  }
  const reserved: Reserved = { ports, replicaPorts };
  const processes = new Processes(onRestart);
  let engines: Engines | undefined;
  const started = (): Engines => {
    if (!engines) throw new Error('the engines are not started');
    return engines;
  };
  const stop = async () => {
    await processes.stop();
    unlock();
  };
  const urls = Object.fromEntries(
    NAMES.map((name) => [name, `http://localhost:${ports[name]}`]),
  ) as RunningStack['urls'];
  return {
    urls,
    async startEngines() {
      engines = await startEngines(options, processes);
    },
    fill: (onShare) =>
      fillDatabase({
        dataDir,
        inventorySize: options.inventorySize ?? INVENTORY_SIZE,
        signal: options.signal,
        environment: { ...options.environment, LOCAL_MODE: 'true', DATABASE_URL: started().postgres.url },
        ...(onShare && { onShare }),
      }),
    publish: (onRelease) =>
      publishBuilds({
        openStorage: () => openClusterStorage(started().postgres.url, dataDir),
        dataDir,
        ...(onRelease && { onRelease }),
      }),
    async start(onService) {
      try {
        const running = await startReplicas(options, reserved, started(), processes, onService);
        return { urls, ports, dataDir, ...started(), ...running, stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    abandon: stop,
  };
}
