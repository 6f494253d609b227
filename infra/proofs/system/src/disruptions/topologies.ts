import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEdge } from '@forecourt/deploy/nginx';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { processTree } from '@forecourt/harness/processes';
import { deploy, fixtureDist, readManifest } from '@forecourt/harness/releases';
import { type ShellReplica, startReplica } from '@forecourt/harness/shellReplica';
import { carryOut, type Cluster, freePort, planCluster, removeDataDir } from '@forecourt/local';
import { canStartJavaServer, startOpenSearch } from '@forecourt/service-kit/javaServer';
import { findPostgres, startPostgres } from '@forecourt/service-kit/testing';
import sharp from 'sharp';
import type { ProofContext } from '../proof.ts';
import { type ApiReplica, startApi } from './apiReplica.ts';
import { openPeopleTables } from './storedLeads.ts';

type Topology<System> = (context: ProofContext) => Promise<System>;
export type SystemOf<T extends Topology<unknown>> = Awaited<ReturnType<T>>;

const SECRET = 'disruptions-proof-secret-of-32-characters';

/** A stack of each service once. */
export async function oneStack({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const { shell, 'remote-registry': registry } = stack.urls;
  return { stack, shell, registry, remote: readManifest(fixtureDist('good')).name };
}

/** A stack whose services can be inspected, with a release of a fixture live. */
export async function inspectedStack({ onEnd }: ProofContext) {
  // Port 0: each service that can be inspected gets a free one.
  const stack = await startOwnStack({ environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  onEnd(stack.remove);
  const { shell, 'remote-registry': registry } = stack.urls;
  const pids = { shell: stack.pids.shell ?? 0, registry: stack.pids['remote-registry'] ?? 0 };
  const { name: remote, version: good } = await deploy(stack.urls, fixtureDist('good'));
  const initialProcesses = processTree(pids.shell).length;
  return { dataDir: stack.dataDir, shell, registry, pids, remote, good, initialProcesses };
}

export const SHELLS = 3;

/** Shells that follow one registry, with a release of a fixture live. */
export async function shellsOfOneRegistry({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const registry = stack.urls['remote-registry'];
  const { name: remote, version: good } = await deploy(stack.urls, fixtureDist('good'));
  const shells = [stack.urls.shell];
  const environment = {
    LOCAL_MODE: 'true',
    CACHE_SECONDS: 'pages=0,slots=0',
    SESSION_SECRET: SECRET,
  };
  while (shells.length < SHELLS)
    shells.push((await startReplica(stack, stack.dataDir, environment, onEnd)).url);
  return { registry, remote, good, shells };
}

export const DRAIN_SECONDS = 2;

/** Shells outside local mode behind nginx, with a release of a fixture live. */
export async function shellsBehindEdge({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-edge-'));
  onEnd(() => removeDataDir(folder));
  const environment = {
    // As in production: a shared secret, the page cache, draining, one proxy in front.
    LOCAL_MODE: 'false',
    LOG_LEVEL: 'warn',
    SESSION_SECRET: SECRET,
    TRUST_PROXY: '1',
    // The load comes from one network.
    RENDER_LIMITS: 'pagesPerMinute=1000000,secondsPerMinute=6000',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const replicas: ShellReplica[] = [];
  while (replicas.length < SHELLS) replicas.push(await startReplica(stack, folder, environment, onEnd));
  const servers = replicas.map(({ port }) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`);
  const edge = await startEdge(join(folder, 'edge'), await freePort(), {
    PUBLIC_SCHEME: 'https',
    SHELL_SERVERS: servers.join(' '),
    IDENTITY_SERVERS: `server 127.0.0.1:${stack.ports.identity};`,
    IDENTITY_HOST: 'accounts.localhost',
  });
  onEnd(() => edge.stop());
  /** Publishes and promotes a fixture, and waits until every shell uses it. */
  const deployEverywhere = async (fixture: string): Promise<string> => {
    let name = '';
    for (const { url } of replicas)
      ({ name } = await deploy({ ...stack.urls, shell: url }, fixtureDist(fixture)));
    return name;
  };
  return { replicas, edge, deployEverywhere, remote: await deployEverywhere('good') };
}

/** Listings of the cluster. */
export const STOCK = 4_000;

/** Serves a photo to whoever asks; returns its URL. */
async function startPhotoHost(onEnd: ProofContext['onEnd']): Promise<URL> {
  const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer();
  const host = createServer((_, response) => void response.end(photo));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  onEnd(() => void host.close());
  return new URL(`http://127.0.0.1:${(host.address() as AddressInfo).port}/1.jpg`);
}

/** The services of `npm run start:cluster`, and a photo that they may fetch. */
export async function wholeCluster({
  onEnd,
  say,
}: ProofContext): Promise<Cluster & { readonly photoUrl: string }> {
  const photoUrl = await startPhotoHost(onEnd);
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-cluster-'));
  onEnd(() => removeDataDir(dataDir));
  const environment = { NODE_OPTIONS: '', INTERNAL_PHOTO_ORIGINS: photoUrl.origin };
  const plan = await planCluster({ dataDir, inventorySize: STOCK, environment, onRestart: say });
  const cluster = await carryOut(plan);
  onEnd(() => cluster.stop());
  return { ...cluster, photoUrl: photoUrl.href };
}

/** Replicas of the API on one PostgreSQL. */
export async function apisOnOneDatabase({ onEnd }: ProofContext) {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: nothing was proven');
  const server = await startPostgres(bin);
  onEnd(server.stop);
  const startAnother = (): Promise<ApiReplica> => startApi({ database: server.url }, onEnd);
  const replicas = [await startAnother(), await startAnother()];
  const sql = await openPeopleTables(server.url);
  onEnd(sql.close);
  return { server, replicas, startAnother, sql };
}

/** The same with one index in OpenSearch. */
export async function apisOnOneIndex({ onEnd }: ProofContext) {
  const bin = findPostgres();
  if (bin === undefined || !canStartJavaServer())
    throw new Error('PostgreSQL or Java is not installed: nothing was proven');
  const server = await startPostgres(bin);
  onEnd(server.stop);
  const search = await startOpenSearch();
  onEnd(search.stop);
  const startAnother = (): Promise<ApiReplica> =>
    startApi({ database: server.url, search: search.url }, onEnd);
  return { replicas: [await startAnother(), await startAnother()], startAnother };
}
