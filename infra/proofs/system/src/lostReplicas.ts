import { mkdtempSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEdge } from '@forecourt/deploy/nginx';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { kill } from '@forecourt/harness/processes';
import { type ShellReplica, startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors } from '@forecourt/harness/visitors';
import { deploy, fixtureDist } from '@forecourt/harness/releases';
import { freePort, removeDataDir } from '@forecourt/local';
import { entryPath, httpGet, type HttpResponse, MAKES } from './pages.ts';
import { type Finding, noFailures, type Proof, type ProofContext, required, reported } from './proof.ts';

const REPLICAS = 3;
const VISITORS = 4;
const KILLS = 3;
const STOPS = 2;
const DRAIN_SECONDS = 2;
const QUIET_MS = 3000;
const SECRET = 'replicas-proof-secret-of-32-characters';
/** Deadline of the showcase slot, whose data never arrives in this fixture: it delays the page, but not its head. */
const SLOT_DEADLINE_MS = 400;

/** Cache status that the edge reports: HIT, MISS, or none for responses that it doesn't cache. */
const cacheStatus = ({ headers }: HttpResponse): string => String(headers['x-edge-cache'] ?? 'not cached');

/** Starts the replicas and the edge in front of them. */
async function startSite({ onEnd }: ProofContext) {
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
    RENDERS_PER_MINUTE: '1000000',
    RENDER_SECONDS_PER_MINUTE: '6000',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const replicas: ShellReplica[] = [];
  while (replicas.length < REPLICAS) {
    const replica = await startReplica(stack, folder, environment, onEnd);
    replicas.push(replica);
  }
  const edge = await startEdge(join(folder, 'edge'), await freePort(), {
    PUBLIC_SCHEME: 'https',
    SHELL_SERVERS: replicas
      .map(({ port }) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`)
      .join(' '),
    IDENTITY_SERVERS: `server 127.0.0.1:${stack.ports.identity};`,
    IDENTITY_HOST: 'accounts.localhost',
  });
  onEnd(() => edge.stop());
  return { stack, replicas, edge };
}

type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts visitors of the edge and counts truncated pages. */
function startTraffic(edgeUrl: string, agent: Agent, remote: string) {
  const counts = { truncated: 0, lost: 0 };
  const page = async (path: string): Promise<string> => {
    const response = await httpGet(edgeUrl + path, agent);
    if (response.status !== 200) throw new Error(`status ${response.status} for ${path}`);
    if (response.isComplete) return response.body.toString();
    counts.truncated += 1;
    const retried = await httpGet(edgeUrl + path, agent);
    if (retried.status !== 200 || !retried.isComplete) {
      counts.lost += 1;
      throw new Error(`${path} was truncated twice`);
    }
    return retried.body.toString();
  };
  const visits = startVisitors(VISITORS, 10, async (visit) => {
    const make = MAKES[visit % MAKES.length] as string;
    const html = await page(`/cars-for-sale/all/${make}`);
    if (!html.endsWith('</html>')) throw new Error('the page is truncated');
    const file = await httpGet(edgeUrl + entryPath(html, remote), agent, 'br');
    if (file.status !== 200 || !file.isComplete) throw new Error(`status ${file.status} for a file`);
  });
  return { counts, page, visits };
}
type Traffic = ReturnType<typeof startTraffic>;

/** Kills and stops replicas under load, then stops the visitors. */
async function loseReplicas({ replicas }: Site, { counts, visits }: Traffic, say: ProofContext['say']) {
  await wait(QUIET_MS);
  for (let round = 0; round < KILLS; round += 1) {
    const replica = replicas[round % REPLICAS]!;
    await kill(replica.service().pid);
    await wait(QUIET_MS);
    await replica.start();
    say(`killed and restarted: ${round + 1}; truncated pages so far: ${counts.truncated}`);
    await wait(QUIET_MS);
  }
  const truncatedByKills = counts.truncated;
  const failures = [...visits.failures];
  const killedRequests = visits.count();
  for (let round = 0; round < STOPS; round += 1) {
    const { service, start } = replicas[round % REPLICAS]!;
    process.kill(service().pid ?? 0, 'SIGTERM');
    await service().ended;
    await wait(QUIET_MS);
    await start();
    say(`stopped and restarted: ${round + 1}`);
  }
  await wait(QUIET_MS);
  await visits.stop();
  return { truncatedByKills, failures, killedRequests, stopFailures: visits.failures.slice(failures.length) };
}
type Losses = Awaited<ReturnType<typeof loseReplicas>>;

/** Requests what the edge's configuration says about caching, compression and private paths. */
async function inspectEdge({ edge }: Site, agent: Agent, page: Traffic['page'], remote: string) {
  const html = await page(`/cars-for-sale/all/${MAKES[0]}`);
  const file = edge.url + entryPath(html, remote);
  const first = await httpGet(file, agent, 'gzip, br');
  const second = await httpGet(`${file}?another=query`, agent, 'br');
  const another = await httpGet(`${edge.url}/cars-for-sale/all/${MAKES[1]}`, agent, 'br');
  const metrics = await httpGet(`${edge.url}/metrics`, agent);
  return { first, second, another, metrics };
}
type EdgeResponses = Awaited<ReturnType<typeof inspectEdge>>;

/** Reads pages that a slot delays, uncompressed and compressed. */
async function readDelayedPages({ stack, replicas, edge }: Site, agent: Agent) {
  for (const { url } of replicas) await deploy({ ...stack.urls, shell: url }, fixtureDist('hangs-in-load'));
  const streams: { encoding: string; page: HttpResponse }[] = [];
  for (const encoding of ['identity', 'br']) {
    const page = await httpGet(
      `${edge.url}/cars-for-sale/all/mazda?startYear=20${encoding === 'br' ? 15 : 16}`,
      agent,
      encoding,
    );
    streams.push({ encoding, page });
  }
  return streams;
}

/** Failures that the visitors saw. */
function lossFindings(losses: Losses, { counts, visits }: Traffic): Finding[] {
  const { truncatedByKills, failures, killedRequests, stopFailures } = losses;
  return [
    noFailures('visits while replicas were killed', killedRequests, failures),
    required(
      `Pages truncated by ${KILLS} kills`,
      truncatedByKills,
      `≤ ${KILLS * VISITORS}`,
      truncatedByKills <= KILLS * VISITORS,
    ),
    required('Of these, not complete when requested again', counts.lost, '0', counts.lost === 0),
    noFailures('visits while replicas were stopped', visits.count() - killedRequests, stopFailures),
    required(
      'Pages truncated while replicas were stopped',
      counts.truncated - truncatedByKills,
      '0',
      counts.truncated === truncatedByKills,
    ),
  ];
}

/** Whether the edge follows its configuration. */
function edgeFindings({ first, second, another, metrics }: EdgeResponses): Finding[] {
  const isImmutable = String(second.headers['cache-control']).includes('immutable');
  const pageHeaders = another.headers;
  return [
    required(
      'File of a release, requested again with a query',
      `${cacheStatus(second)}, ${second.headers['content-encoding']}`,
      'HIT, br',
      cacheStatus(second) === 'HIT' &&
        second.headers['content-encoding'] === 'br' &&
        first.body.equals(second.body),
    ),
    required('The file is marked as immutable', isImmutable ? 'yes' : 'no', 'yes', isImmutable),
    required(
      'Page: not cached by the edge, compressed by the shell',
      `${cacheStatus(another)}, ${pageHeaders['content-encoding']}`,
      'not cached, br',
      cacheStatus(another) === 'not cached' && pageHeaders['content-encoding'] === 'br',
    ),
    required(
      'Strict-Transport-Security',
      String(pageHeaders['strict-transport-security']),
      'a year',
      String(pageHeaders['strict-transport-security']).includes('max-age=31536000'),
    ),
    required('/metrics for visitors', metrics.status, '404', metrics.status === 404),
  ];
}

export const lostReplicas: Proof = {
  name: 'replicas',
  title: `${REPLICAS} replicas behind nginx: visitors don't notice when one is killed`,
  limitMs: 8 * 60_000,
  method: `nginx runs with \`infra/deploy/nginx/nginx.conf.template\` in front of ${REPLICAS} shells outside local mode. Over keep-alive connections, ${VISITORS} visitors request results of ${MAKES.length} makes and, for each page, a file of the release that rendered it. A replica is killed with SIGKILL and started again ${KILLS} times, then one is stopped with SIGTERM and DRAIN_SECONDS=${DRAIN_SECONDS} and started again ${STOPS} times. A request fails without a response or with another status than 200. A response that is already streaming from a killed process can't be completed by another one: such truncated pages are counted separately, may be at most one per visitor and kill, and must be complete when requested again.`,
  async run(context) {
    const site = await startSite(context);
    const agent = new Agent({ keepAlive: true, maxSockets: VISITORS });
    context.onEnd(() => agent.destroy());
    let name = '';
    for (const { url } of site.replicas)
      ({ name } = await deploy({ ...site.stack.urls, shell: url }, fixtureDist('good')));

    const traffic = startTraffic(site.edge.url, agent, name);
    context.onEnd(() => traffic.visits.stop());
    const losses = await loseReplicas(site, traffic, context.say);
    const responses = await inspectEdge(site, agent, traffic.page, name);
    const streams = await readDelayedPages(site, agent);
    return [
      ...lossFindings(losses, traffic),
      ...edgeFindings(responses),
      ...streams.map(({ encoding, page }) =>
        required(
          `First and last byte of a page that a slot delays, ${encoding}`,
          `${Math.round(page.firstMs)} ms, ${Math.round(page.lastMs)} ms`,
          `≥ ${SLOT_DEADLINE_MS * 0.75} ms between`,
          page.lastMs - page.firstMs >= SLOT_DEADLINE_MS * 0.75,
        ),
      ),
      reported('Kills and stops', `${KILLS}, ${STOPS}`),
    ];
  },
};
