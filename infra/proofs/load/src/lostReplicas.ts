import { mkdtempSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { kill, startOwnStack } from '@forecourt/e2e/ownStack';
import { deploy, fixtureDist } from '@forecourt/e2e/releases';
import { removeDataDir } from '@forecourt/local';
import { startVisitors } from '@forecourt/e2e/visitors';
import { startEdge } from './edge.ts';
import { type Answer, httpGet } from './httpGet.ts';
import { entryPath } from './pages.ts';
import { type Finding, listed, type Proof, type ProofContext, required, told } from './proof.ts';
import { type ShellReplica, startReplica } from './shellReplica.ts';

const REPLICAS = 3;
const VISITORS = 4;
const KILLS = 3;
const STOPS = 2;
const DRAIN_SECONDS = 2;
const QUIET_MS = 3000;
const SECRET = 'replicas-proof-secret-of-32-characters';
const MAKES = ['ford', 'toyota', 'honda', 'chevrolet', 'nissan', 'jeep', 'bmw', 'kia', 'hyundai', 'subaru'];
/** Of the showcase's slot, which is held up by a remote whose data never comes: the page waits for it, its head does not. */
const HELD_MS = 400;

/** What the edge says of its cache: HIT, MISS, or that it keeps no such thing. */
const kept = ({ headers }: Answer): string => String(headers['x-edge-cache'] ?? 'not kept');

/** Starts the replicas and the edge before them. */
async function startSite({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-edge-'));
  onEnd(() => removeDataDir(folder));
  const environment = {
    // As in production: its own secret, its cache, its drain; behind one proxy.
    LOCAL_MODE: 'false',
    LOG_LEVEL: 'warn',
    SESSION_SECRET: SECRET,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const replicas: ShellReplica[] = [];
  while (replicas.length < REPLICAS) {
    const replica = await startReplica(stack, folder, environment, onEnd);
    replicas.push(replica);
  }
  const edge = await startEdge(join(folder, 'edge'), {
    PUBLIC_SCHEME: 'https',
    SHELL_SERVERS: replicas
      .map(({ port }) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`)
      .join(' '),
    IDENTITY_SERVERS: `server 127.0.0.1:${stack.ports.identity};`,
    API_SERVERS: `server 127.0.0.1:${stack.ports['marketplace-api']};`,
    IDENTITY_HOST: 'accounts.localhost',
  });
  onEnd(() => edge.stop());
  return { stack, replicas, edge };
}

type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts visitors at the edge, and counts the pages that broke off. */
function startTraffic(edgeUrl: string, agent: Agent, remote: string) {
  const counts = { brokenOff: 0, lost: 0 };
  const page = async (path: string): Promise<string> => {
    const answer = await httpGet(edgeUrl + path, agent);
    if (answer.status !== 200) throw new Error(`status ${answer.status} for ${path}`);
    if (answer.isWhole) return answer.body.toString();
    counts.brokenOff += 1;
    const again = await httpGet(edgeUrl + path, agent);
    if (again.status !== 200 || !again.isWhole) {
      counts.lost += 1;
      throw new Error(`${path} broke off twice`);
    }
    return again.body.toString();
  };
  const visits = startVisitors(VISITORS, 10, async (visit) => {
    const make = MAKES[visit % MAKES.length] as string;
    const html = await page(`/cars-for-sale/all/${make}`);
    if (!html.endsWith('</html>')) throw new Error('a page without its end');
    const file = await httpGet(edgeUrl + entryPath(html, remote), agent, 'br');
    if (file.status !== 200 || !file.isWhole) throw new Error(`status ${file.status} for a file`);
  });
  return { counts, page, visits };
}
type Traffic = ReturnType<typeof startTraffic>;

/** Kills and stops replicas under load; the visitors are gone afterwards. */
async function loseReplicas({ replicas }: Site, { counts, visits }: Traffic, say: ProofContext['say']) {
  await wait(QUIET_MS);
  for (let round = 0; round < KILLS; round += 1) {
    const replica = replicas[round % REPLICAS]!;
    await kill(replica.service().pid);
    await wait(QUIET_MS);
    await replica.start();
    say(`killed and back: ${round + 1}; broken off so far: ${counts.brokenOff}`);
    await wait(QUIET_MS);
  }
  const brokenByKills = counts.brokenOff;
  const failures = [...visits.failures];
  const killedRequests = visits.count();
  for (let round = 0; round < STOPS; round += 1) {
    const { service, start } = replicas[round % REPLICAS]!;
    process.kill(service().pid ?? 0, 'SIGTERM');
    await service().ended;
    await wait(QUIET_MS);
    await start();
    say(`stopped and back: ${round + 1}`);
  }
  await wait(QUIET_MS);
  await visits.stop();
  return { brokenByKills, failures, killedRequests, stopFailures: visits.failures.slice(failures.length) };
}
type Losses = Awaited<ReturnType<typeof loseReplicas>>;

/** Asks the edge for what its configuration promises besides. */
async function inspectEdge({ edge }: Site, agent: Agent, page: Traffic['page'], remote: string) {
  const html = await page(`/cars-for-sale/all/${MAKES[0]}`);
  const file = edge.url + entryPath(html, remote);
  const first = await httpGet(file, agent, 'gzip, br');
  const second = await httpGet(`${file}?another=query`, agent, 'br');
  const another = await httpGet(`${edge.url}/cars-for-sale/all/${MAKES[1]}`, agent, 'br');
  const metrics = await httpGet(`${edge.url}/metrics`, agent);
  return { first, second, another, metrics };
}
type EdgeAnswers = Awaited<ReturnType<typeof inspectEdge>>;

/** Reads pages that a slot holds up, plain and compressed. */
async function readHeldPages({ stack, replicas, edge }: Site, agent: Agent) {
  for (const { url } of replicas) await deploy({ ...stack.urls, shell: url }, fixtureDist('hangs-in-load'));
  const streams: { encoding: string; held: Answer }[] = [];
  for (const encoding of ['identity', 'br']) {
    const held = await httpGet(
      `${edge.url}/cars-for-sale/all/mazda?startYear=20${encoding === 'br' ? 15 : 16}`,
      agent,
      encoding,
    );
    streams.push({ encoding, held });
  }
  return streams;
}

/** What the visitors noticed of the lost replicas. */
function lossFindings(losses: Losses, { counts, visits }: Traffic): Finding[] {
  const { brokenByKills, failures, killedRequests, stopFailures } = losses;
  return [
    required(
      `Failed of ${killedRequests} visits while replicas were killed`,
      listed(failures),
      '0',
      failures.length === 0,
    ),
    required(
      `Pages that broke off out of a killed process, in ${KILLS} kills`,
      brokenByKills,
      `≤ ${KILLS * VISITORS}`,
      brokenByKills <= KILLS * VISITORS,
    ),
    required('Of these, not whole when asked for again', counts.lost, '0', counts.lost === 0),
    required(
      `Failed of ${visits.count() - killedRequests} visits while replicas were stopped`,
      listed(stopFailures),
      '0',
      stopFailures.length === 0,
    ),
    required(
      'Pages that broke off while replicas were stopped',
      counts.brokenOff - brokenByKills,
      '0',
      counts.brokenOff === brokenByKills,
    ),
  ];
}

/** Whether the edge keeps its promises. */
function edgeFindings({ first, second, another, metrics }: EdgeAnswers): Finding[] {
  const isImmutable = String(second.headers['cache-control']).includes('immutable');
  const pageHeaders = another.headers;
  return [
    required(
      'A file of a release, asked for again with a query',
      `${kept(second)}, ${second.headers['content-encoding']}`,
      'HIT, br',
      kept(second) === 'HIT' && second.headers['content-encoding'] === 'br' && first.body.equals(second.body),
    ),
    required('It may be kept for good', isImmutable ? 'yes' : 'no', 'yes', isImmutable),
    required(
      'A page is not kept, and passes compressed as the shell sent it',
      `${kept(another)}, ${pageHeaders['content-encoding']}`,
      'not kept, br',
      kept(another) === 'not kept' && pageHeaders['content-encoding'] === 'br',
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
  title: `${REPLICAS} replicas behind nginx: one is killed, none of the visitors notices`,
  limitMs: 8 * 60_000,
  method: `nginx runs with \`infra/deploy/nginx/nginx.conf.template\` in front of ${REPLICAS} shells outside local mode. ${VISITORS} visitors ask, over connections that are kept, for results of ${MAKES.length} makes and for a file of the release that each page was made of. ${KILLS} times a replica is killed by SIGKILL and started anew, then ${STOPS} times one is stopped by SIGTERM with DRAIN_SECONDS=${DRAIN_SECONDS} and started anew. A request has failed when it got no answer, or another status than 200. An answer that had begun to stream out of the very process that was killed cannot be taken over by anybody: such pages are counted on their own, must be no more than there were visitors, and must come whole when they are asked for again.`,
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
    const answers = await inspectEdge(site, agent, traffic.page, name);
    const streams = await readHeldPages(site, agent);
    return [
      ...lossFindings(losses, traffic),
      ...edgeFindings(answers),
      ...streams.map(({ encoding, held }) =>
        required(
          `First and last byte of a page that a slot holds up, ${encoding}`,
          `${Math.round(held.firstMs)} ms, ${Math.round(held.lastMs)} ms`,
          `≥ ${HELD_MS * 0.75} ms between`,
          held.lastMs - held.firstMs >= HELD_MS * 0.75,
        ),
      ),
      told('Kills and stops', `${KILLS}, ${STOPS}`),
    ];
  },
};
