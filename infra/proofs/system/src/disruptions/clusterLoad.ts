import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '@forecourt/harness/statistics';
import { type Cluster, REPLICAS } from '@forecourt/local';
import { signUp } from '@forecourt/harness/shopper';
import { httpGet, MAKES, pageOf } from '../pages.ts';
import { type Finding, noFailures, type ProofContext, reported, required } from '../proof.ts';
import { compareLeads, openPeopleTables } from './storedLeads.ts';
import { STOCK } from './topologies.ts';
import { type Counts, REQUESTS_PER_SECOND, Traffic } from './traffic.ts';

const CALM_MS = 8_000;
/** Pages in flight that the kill of a shell may cut. */
const IN_FLIGHT = 8;

/** Phases in which a search can't be made that nobody made before: OpenSearch has no replica here. */
const WITHOUT_SEARCH: ReadonlySet<string> = new Set(['OpenSearch killed', 'indexes deleted']);

/** Every shell has rendered every page, so that each can show it while the search is away. */
export async function warmUp({ replicas }: Cluster): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const { port } of replicas.filter(({ name }) => name === 'shell'))
    for (let visit = 0; visit < MAKES.length; visit += 1)
      await httpGet(`http://127.0.0.1:${port}${pageOf(visit)}`, agent);
  agent.destroy();
}

/** What visitors may notice of a phase; counts of 0 are left out. */
export const notesOf = ({
  pages,
  failed,
  newFailed,
  stale,
  truncated,
  repeatedWrites,
  unreadable,
}: Counts): string =>
  [
    `${pages} pages`,
    failed > 0 && `${failed} failed`,
    newFailed > 0 && `${newFailed} of new searches failed`,
    stale > 0 && `${stale} stale`,
    truncated > 0 && `${truncated} cut`,
    repeatedWrites > 0 && `${repeatedWrites} leads sent again`,
    unreadable > 0 && `${unreadable} account requests repeated`,
  ]
    .filter(Boolean)
    .join(', ');

const sumOf = (traffic: Traffic, what: keyof Counts): number =>
  [...traffic.phases.values()].reduce((sum, counts) => sum + counts[what], 0);

/** Of searches that no shell had cached. */
function newSearches({ phases, newFailures }: Traffic): Finding {
  const searched = [...phases].filter(([phase]) => !WITHOUT_SEARCH.has(phase));
  const sum = (what: 'newPages' | 'newFailed') =>
    searched.reduce((total, [, counts]) => total + counts[what], 0);
  const failures = newFailures.filter((failure) => !WITHOUT_SEARCH.has(failure.split(':')[0]!));
  const examples = [...new Set(failures)].slice(0, 3).join('; ');
  return required(
    `Failures in ${sum('newPages')} pages of searches that no shell had cached, except without OpenSearch`,
    sum('newFailed') === 0 ? '0' : `${sum('newFailed')}: ${examples}`,
    '0',
    sum('newFailed') === 0 && sum('newPages') > 0,
  );
}

function trafficFindings(traffic: Traffic, shells: number): Finding[] {
  const truncated = sumOf(traffic, 'truncated');
  const { reads, seconds, failures } = traffic;
  return [
    noFailures('pages and leads', seconds.length + traffic.acknowledged.length, failures),
    required(
      'Pages cut by the kill of their shell, complete when requested again',
      truncated,
      `≤ ${shells * IN_FLIGHT}`,
      truncated <= shells * IN_FLIGHT,
    ),
    newSearches(traffic),
    reported('Pages with older results and a note', sumOf(traffic, 'stale')),
    reported(
      'Time of a page',
      `median ${Math.round(quantile(seconds, 0.5) * 1000)} ms, p99 ${Math.round(quantile(seconds, 0.99) * 1000)} ms`,
    ),
    required(
      `Of ${reads.count} saves and removals, not on the next page that listed the vehicles`,
      reads.wrong.length === 0 ? '0' : `${reads.wrong.length}: ${reads.wrong.slice(0, 3).join('; ')}`,
      '0',
      reads.wrong.length === 0 && reads.count > 0,
    ),
  ];
}

/** Visitors, senders of leads and a signed-in visitor, and what must hold of them. */
export async function startClusterLoad(cluster: Cluster, { onEnd }: ProofContext) {
  const { urls, postgres, replicas, search } = cluster;
  const stock = await fetch(`${urls['marketplace-api']}/rest/lsc/listing?numRecords=50`);
  const { listings } = (await stock.json()) as { listings: { id: string; ownerId: string }[] };
  const [first] = listings;
  const identity = replicas.find(({ name }) => name === 'identity')!;
  const shopper = await signUp(urls.shell, `http://127.0.0.1:${identity.port}`);
  await warmUp(cluster);
  const traffic = new Traffic(urls.shell);
  onEnd(() => traffic.end());
  traffic.begin('calm');
  const ids = listings.map(({ id }) => id);
  const requests = [
    traffic.run({ listingId: first!.id, ownerId: first!.ownerId }),
    traffic.readOwnWrites(shopper, ids),
  ];
  await wait(CALM_MS);
  return {
    traffic,
    begin: (phase: string) => traffic.begin(phase),
    async stop(): Promise<void> {
      traffic.end();
      await Promise.all(requests);
    },
    /** Compares what was acknowledged with what is stored. */
    async findings(): Promise<Finding[]> {
      const sql = await openPeopleTables(postgres.url);
      const stored = await compareLeads(sql, traffic.acknowledged);
      await sql.close();
      return [
        ...trafficFindings(traffic, REPLICAS.shell),
        ...stored,
        reported('OpenSearch', search ? 'part of the cluster' : 'left out: Java or Maven is missing'),
      ];
    },
  };
}
export type ClusterLoad = Awaited<ReturnType<typeof startClusterLoad>>;

/** The services, the load and what counts as a failure. */
export const UNDER_LOAD = `The services of \`npm run start:cluster\` (${Object.entries(REPLICAS)
  .map(([name, count]) => `${count} ${name}`)
  .join(
    ', ',
  )}) run with ${STOCK} listings, in local mode. Through nginx, ${REQUESTS_PER_SECOND} requests a second are sent whatever the site does: results of ${MAKES.length} makes, every fifth is a lead, and every tenth a search that nobody has made before. At the same time a signed-in visitor saves and removes vehicles, and opens the list after each. A page fails without a response, with another status than 200 or without results. Every acknowledged lead must be stored once with one email. OpenSearch is left out where Java or Maven is missing.`;
