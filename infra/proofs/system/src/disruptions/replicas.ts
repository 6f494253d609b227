import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { kill } from '@forecourt/harness/processes';
import { startVisitors } from '@forecourt/harness/visitors';
import { entryPath, httpGet, type HttpResponse, MAKES } from '../pages.ts';
import { type Finding, noFailures, reported, required } from '../proof.ts';
import { type Disruption, type Scenario, secondsOf } from './disruption.ts';
import type { shellsBehindEdge, SystemOf } from './topologies.ts';

export const VISITORS = 4;
export const KILLS = 3;
export const STOPS = 2;
const QUIET_MS = 3000;
/** Deadline of the showcase slot, whose data never arrives in this fixture: it delays the page, but not its head. */
const SLOT_DEADLINE_MS = 400;

type Site = SystemOf<typeof shellsBehindEdge>;

/** Cache status that the edge reports: HIT, MISS, or none for responses that it doesn't cache. */
const cacheStatus = ({ headers }: HttpResponse): string => String(headers['x-edge-cache'] ?? 'not cached');

/** Starts visitors of the edge and counts truncated pages. */
export function visitorsOfEdge({ edge, remote }: Site) {
  const agent = new Agent({ keepAlive: true, maxSockets: VISITORS });
  const counts = { truncated: 0, lost: 0 };
  const page = async (path: string): Promise<string> => {
    const response = await httpGet(edge.url + path, agent);
    if (response.status !== 200) throw new Error(`status ${response.status} for ${path}`);
    if (response.isComplete) return response.body.toString();
    counts.truncated += 1;
    const retried = await httpGet(edge.url + path, agent);
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
    const file = await httpGet(edge.url + entryPath(html, remote), agent, 'br');
    if (file.status !== 200 || !file.isComplete) throw new Error(`status ${file.status} for a file`);
  });
  return { counts, page, visits, agent, stop: () => visits.stop() };
}
type Traffic = ReturnType<typeof visitorsOfEdge>;

/** What the visitors saw until all kills were over, and afterwards. */
interface Losses {
  readonly truncatedByKills: number;
  readonly failures: readonly string[];
  readonly killedRequests: number;
  readonly stopFailures: readonly string[];
}

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
async function readDelayedPages({ edge, deployEverywhere }: Site, agent: Agent) {
  await deployEverywhere('hangs-in-load');
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

/** Kills replicas, then stops others in order. */
export async function replicas(site: Site, traffic: Traffic): Promise<Scenario> {
  const { counts, visits, agent, page } = traffic;
  let afterKills = { truncatedByKills: 0, failures: [] as string[], killedRequests: 0 };
  const replicaOf = (round: number) => site.replicas[round % site.replicas.length]!;
  const killing = (round: number): Disruption => ({
    name: `kill ${round + 1}`,
    settleMs: QUIET_MS,
    run: () =>
      secondsOf(async () => {
        const { service, start } = replicaOf(round);
        await kill(service().pid);
        await wait(QUIET_MS);
        await start();
      }),
  });
  const stopping = (round: number): Disruption => ({
    name: `stop ${round + 1}`,
    settleMs: round === STOPS - 1 ? QUIET_MS : 0,
    async prepare() {
      if (round > 0) return;
      const { truncated } = counts;
      afterKills = {
        truncatedByKills: truncated,
        failures: [...visits.failures],
        killedRequests: visits.count(),
      };
    },
    run: () =>
      secondsOf(async () => {
        const { service, start } = replicaOf(round);
        process.kill(service().pid ?? 0, 'SIGTERM');
        await service().ended;
        await wait(QUIET_MS);
        await start();
      }),
  });
  await wait(QUIET_MS);
  return {
    disruptions: [
      ...Array.from({ length: KILLS }, (_, round) => killing(round)),
      ...Array.from({ length: STOPS }, (_, round) => stopping(round)),
    ],
    async findings() {
      const losses = { ...afterKills, stopFailures: visits.failures.slice(afterKills.failures.length) };
      const responses = await inspectEdge(site, agent, page, site.remote);
      const streams = await readDelayedPages(site, agent);
      agent.destroy();
      return [
        ...lossFindings(losses, traffic),
        ...edgeFindings(responses),
        ...streams.map(({ encoding, page: delayed }) =>
          required(
            `First and last byte of a page that a slot delays, ${encoding}`,
            `${Math.round(delayed.firstMs)} ms, ${Math.round(delayed.lastMs)} ms`,
            `≥ ${SLOT_DEADLINE_MS * 0.75} ms between`,
            delayed.lastMs - delayed.firstMs >= SLOT_DEADLINE_MS * 0.75,
          ),
        ),
        reported('Kills and stops', `${KILLS}, ${STOPS}`),
      ];
    },
  };
}
