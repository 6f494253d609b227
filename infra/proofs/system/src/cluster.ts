import { mkdtempSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '@forecourt/harness/statistics';
import { carryOut, type Cluster, planCluster, removeDataDir, REPLICAS } from '@forecourt/local';
import { signUp } from './faults/shopper.ts';
import { completePage, type Counts, httpGet, MAKES, pageOf, REQUESTS_PER_SECOND, Traffic } from './pages.ts';
import {
  type Finding,
  noFailures,
  type Proof,
  type ProofContext,
  reported,
  required,
  until,
} from './proof.ts';
import { compareLeads, openPeopleTables } from './sharedDatabase.ts';

const STOCK = 4_000;
const CALM_MS = 8_000;
/** ms of load after each recovery. */
const SETTLE_MS = 3_000;
const RECOVERY_SECONDS = 90;
/** Pages in flight that the kill of a shell may cut. */
const IN_FLIGHT = 8;

async function startCluster({ onEnd, say }: ProofContext): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-cluster-'));
  onEnd(() => removeDataDir(dataDir));
  const plan = await planCluster({
    dataDir,
    inventorySize: STOCK,
    environment: { NODE_OPTIONS: '' },
    onRestart: say,
  });
  const cluster = await carryOut(plan);
  onEnd(() => cluster.stop());
  return cluster;
}

export const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

interface Fault {
  readonly name: string;
  readonly strike: () => Promise<void>;
  readonly isRepaired: () => Promise<boolean>;
}

/** A process gets a signal; repaired, when its successor is ready. */
export function ending(
  name: string,
  signal: 'SIGKILL' | 'SIGTERM',
  pid: () => number | undefined,
  isRepaired: Fault['isRepaired'],
): Fault {
  let before: number | undefined;
  return {
    name,
    strike() {
      before = pid();
      process.kill(before!, signal);
      return Promise.resolve();
    },
    isRepaired: async () => pid() !== before && (await isRepaired()),
  };
}

/** Kills each replica in turn, then the servers that they share, then what these servers hold for the search. */
function faultsOf({ replicas, postgres, search }: Cluster): Fault[] {
  const apis = replicas.filter(({ name }) => name === 'marketplace-api');
  const findsAll = async (): Promise<boolean> => {
    for (const { port } of apis) {
      const url = `http://127.0.0.1:${port}/rest/lsc/listing/count`;
      const response = await fetch(url).catch(() => undefined);
      if (response?.status !== 200) return false;
      const { totalResultCount } = (await response.json()) as { totalResultCount: number };
      if (totalResultCount !== STOCK) return false;
    }
    return true;
  };
  const areReady = async () => (await Promise.all(replicas.map(({ port }) => isReady(port)))).every(Boolean);
  return [
    ...replicas.map(({ name, number, port, pid }) =>
      ending(`${name} ${number} killed`, 'SIGKILL', pid, () => isReady(port)),
    ),
    ending('PostgreSQL killed', 'SIGKILL', postgres.pid, areReady),
    ...(search
      ? [
          ending('OpenSearch killed', 'SIGKILL', search.pid, findsAll),
          {
            name: 'indexes deleted',
            async strike() {
              const response = await fetch(`${search.url}/listings-*`, { method: 'DELETE' });
              if (!response.ok) throw new Error(`the indexes were not deleted: ${response.status}`);
            },
            isRepaired: findsAll,
          },
        ]
      : []),
  ];
}

/** Every shell has rendered every page, so that each can show it while the search is away. */
async function warmUp({ replicas }: Cluster): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const { port } of replicas.filter(({ name }) => name === 'shell'))
    for (let visit = 0; visit < MAKES.length; visit += 1)
      await httpGet(`http://127.0.0.1:${port}${pageOf(visit)}`, agent);
  agent.destroy();
}

/** What visitors may notice of a phase; counts of 0 are left out. */
export const notesOf = ({ pages, failed, stale, truncated, repeatedWrites, unreadable }: Counts): string =>
  [
    `${pages} pages`,
    failed > 0 && `${failed} failed`,
    stale > 0 && `${stale} stale`,
    truncated > 0 && `${truncated} cut`,
    repeatedWrites > 0 && `${repeatedWrites} leads sent again`,
    unreadable > 0 && `${unreadable} account requests repeated`,
  ]
    .filter(Boolean)
    .join(', ');

/** Begins a phase with a fault; returns the time until it was repaired, undefined if it wasn't. */
export async function endure(
  { name, strike, isRepaired }: Fault,
  traffic: Traffic,
  { say }: ProofContext,
): Promise<number | undefined> {
  say(name);
  traffic.begin(name);
  const started = performance.now();
  await strike();
  const isOver = await until(name, isRepaired, { limitMs: RECOVERY_SECONDS * 1000, everyMs: 50 }).then(
    () => false,
    () => true,
  );
  const seconds = (performance.now() - started) / 1000;
  // Recovery of one fault is no part of the next.
  await wait(SETTLE_MS);
  return isOver ? undefined : seconds;
}

/** Strikes one fault after another; returns the seconds until each was repaired. */
async function strikeAll(cluster: Cluster, traffic: Traffic, context: ProofContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const fault of faultsOf(cluster)) {
    await warmUp(cluster);
    const seconds = await endure(fault, traffic, context);
    const value = `${seconds?.toFixed(1) ?? 'not repaired'} s (${notesOf(traffic.counts)})`;
    const isMet = seconds !== undefined;
    findings.push(required(`${fault.name}: serves again after`, value, `≤ ${RECOVERY_SECONDS} s`, isMet));
    if (!isMet) break;
  }
  return findings;
}

/** Pages that no shell has rendered yet. */
const NEW_PAGES = 24;

/** Requests pages, and what each names as its content: only the shell that rendered a page has it. */
async function findContents(origin: string): Promise<Finding> {
  const missing: string[] = [];
  for (let page = 0; page < NEW_PAGES; page += 1) {
    const path = `${pageOf(page)}?maxPrice=${20_000 + page}`;
    const [content] =
      /\/cars-for-sale\/api\/page-content\/[^"]+/.exec(await completePage(origin + path)) ?? [];
    const status = content === undefined ? 'unnamed' : (await fetch(origin + content)).status;
    if (status !== 200) missing.push(`${path}: ${status}`);
  }
  return required(
    `Of ${NEW_PAGES} new pages, without their content`,
    missing.length === 0 ? '0' : `${missing.length}: ${missing.slice(0, 3).join('; ')}`,
    '0',
    missing.length === 0,
  );
}

const sumOf = (traffic: Traffic, what: keyof Counts): number =>
  [...traffic.phases.values()].reduce((sum, counts) => sum + counts[what], 0);

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

/** Starts the cluster with its visitors, senders of leads and a signed-in visitor. */
export async function startUnderLoad(context: ProofContext) {
  const running = await startCluster(context);
  const { urls, postgres, replicas } = running;
  const stock = await fetch(`${urls['marketplace-api']}/rest/lsc/listing?numRecords=50`);
  const { listings } = (await stock.json()) as { listings: { id: string; ownerId: string }[] };
  const [first] = listings;
  const identity = replicas.find(({ name }) => name === 'identity')!;
  const shopper = await signUp(urls.shell, `http://127.0.0.1:${identity.port}`);
  await warmUp(running);
  const traffic = new Traffic(urls.shell);
  context.onEnd(() => traffic.stop());
  traffic.begin('calm');
  const ids = listings.map(({ id }) => id);
  const load = [
    traffic.run({ listingId: first!.id, ownerId: first!.ownerId }),
    traffic.readOwnWrites(shopper, ids),
  ];
  await wait(CALM_MS);
  return {
    running,
    traffic,
    /** Ends the load, and compares what was acknowledged with what is stored. */
    async end(): Promise<Finding[]> {
      traffic.stop();
      await Promise.all(load);
      const sql = await openPeopleTables(postgres.url);
      const stored = await compareLeads(sql, traffic.acknowledged);
      await sql.close();
      return [
        ...trafficFindings(traffic, REPLICAS.shell),
        ...stored,
        reported('OpenSearch', running.search ? 'part of the cluster' : 'left out: Java or Maven is missing'),
      ];
    },
  };
}

/** The services, the load and what counts as a failure. */
export const UNDER_LOAD = `The services of \`npm run start:cluster\` (${Object.entries(REPLICAS)
  .map(([name, count]) => `${count} ${name}`)
  .join(
    ', ',
  )}) run with ${STOCK} listings, in local mode. Through nginx, ${REQUESTS_PER_SECOND} requests a second are sent whatever the site does: results of ${MAKES.length} makes, and every fifth is a lead. At the same time a signed-in visitor saves and removes vehicles, and opens the list after each. A page fails without a response, with another status than 200 or without results. Every acknowledged lead must be stored once with one email. OpenSearch is left out where Java or Maven is missing.`;

export const cluster: Proof = {
  name: 'cluster',
  title: 'Replicas of every service are killed, and what they share: no page fails, no write is lost',
  limitMs: 15 * 60_000,
  method: `${UNDER_LOAD} In turn every replica, PostgreSQL and OpenSearch get SIGKILL, and the indexes are deleted in OpenSearch; each time the load goes on until the cluster has repaired itself, and ${SETTLE_MS / 1000} s longer. Before the first fault, ${NEW_PAGES} pages that no shell has rendered are requested, each with its content, which only the shell that rendered it stores. Before each fault every shell has rendered every page once. A page that a killed shell was sending is requested again, and a lead without an acknowledgement is sent again with the same key.`,
  async run(context) {
    const load = await startUnderLoad(context);
    const { running, traffic } = load;
    const contents = await findContents(running.urls.shell);
    const repairs = await strikeAll(running, traffic, context);
    return [...(await load.end()), contents, ...repairs];
  },
};
