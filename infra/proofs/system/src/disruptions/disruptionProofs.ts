import { readLead } from '../faults/upstreamFaults.ts';
import { MAKES } from '../pages.ts';
import type { Proof } from '../proof.ts';
import { startClusterLoad, UNDER_LOAD } from './clusterLoad.ts';
import { ROWS } from './clusterImports.ts';
import { clusterLosses, NEW_PAGES, SETTLE_MS } from './clusterLosses.ts';
import { deploys, pausableVisitors, ROUNDS, SETTLED_ROUND, VISITORS } from './deploys.ts';
import { noLoad, proofOf } from './disruption.ts';
import { startLeadWriters, WRITERS, WRITES } from './leadWriters.ts';
import { PROMOTES, promotes } from './promotes.ts';
import { KILLS, replicas, STOPS, VISITORS as EDGE_VISITORS, visitorsOfEdge } from './replicas.ts';
import { LIVE_WITHIN_MS, rollbacks, visitorsOfAll } from './rollbacks.ts';
import { rollingDeploy } from './rollingDeploy.ts';
import { CARS, CRASHES, IMPORTS, MANY_CARS, sharedDatabase, sharedIndex } from './sharedDatabase.ts';
import {
  apisOnOneDatabase,
  apisOnOneIndex,
  DRAIN_SECONDS,
  inspectedStack,
  oneStack,
  SHELLS,
  shellsBehindEdge,
  shellsOfOneRegistry,
  wholeCluster,
} from './topologies.ts';

/** Proofs that something happens to a system under load: what runs, who uses it and what happens to it. */
export const disruptionProofs: readonly Proof[] = [
  proofOf({
    name: 'deploys',
    title: `${ROUNDS} publishes, promotes and rollbacks under load`,
    limitMs: 15 * 60_000,
    method: `Each round publishes and promotes a new release of mfe-showcase, waits until a page shows it, rolls back, and waits until a page shows the previous release. At the same time ${VISITORS} visitors request uncached pages (\`CACHE_SECONDS=pages=0\`) and, for each page, a file of the release that rendered it. Memory is the resident set of shell and registry. It is measured after round ${SETTLED_ROUND} and after round ${ROUNDS}, when the visitors have paused, replaced releases are retired (the shell keeps them for a minute), and their garbage is collected with the inspector's \`HeapProfiler.collectGarbage\`. Processes are the shell's descendants in \`/proc\`.`,
    topology: inspectedStack,
    load: pausableVisitors,
    scenario: deploys,
  }),
  proofOf({
    name: 'promotes',
    title: `${PROMOTES} concurrent promotes: none is lost`,
    limitMs: 4 * 60_000,
    method: `${PROMOTES} releases of one remote are published. Then ${PROMOTES} concurrent requests promote one release each. No change is lost if all requests return 200, the revision grows by ${PROMOTES}, and each change in the history starts from the result of the change before. Then the same number of requests name one expected revision: compare-and-set accepts exactly one of them.`,
    topology: oneStack,
    load: noLoad,
    scenario: promotes,
  }),
  proofOf({
    name: 'rollbacks',
    title: `A rollback is live on every shell within ${LIVE_WITHIN_MS / 1000} s`,
    limitMs: 8 * 60_000,
    method: `${SHELLS} shells follow one registry, and a visitor of each requests pages continuously. A release is promoted and, when every shell uses it, rolled back. The time runs from the rollback request until each shell reports the previous release as live (polled every 5 ms); then a page of each shell must show it. Before the last rollback, the shells have retired the previous release, so each must fetch, check and start it again.`,
    topology: shellsOfOneRegistry,
    load: visitorsOfAll,
    scenario: rollbacks,
  }),
  proofOf({
    name: 'replicas',
    title: `${SHELLS} replicas behind nginx: visitors don't notice when one is killed`,
    limitMs: 8 * 60_000,
    method: `nginx runs with \`infra/deploy/nginx/nginx.conf.template\` in front of ${SHELLS} shells outside local mode. Over keep-alive connections, ${EDGE_VISITORS} visitors request results of ${MAKES.length} makes and, for each page, a file of the release that rendered it. A replica is killed with SIGKILL and started again ${KILLS} times, then one is stopped with SIGTERM and DRAIN_SECONDS=${DRAIN_SECONDS} and started again ${STOPS} times. A request fails without a response or with another status than 200. A response that is already streaming from a killed process can't be completed by another one: such truncated pages are counted separately, may be at most one per visitor and kill, and must be complete when requested again.`,
    topology: shellsBehindEdge,
    load: visitorsOfEdge,
    scenario: replicas,
  }),
  proofOf({
    name: 'cluster',
    title: 'Replicas of every service are killed, and what they share: no page fails, no write is lost',
    limitMs: 25 * 60_000,
    method: `${UNDER_LOAD} All the time, a feed of ${ROWS} rows is imported by a process of its own with a lower priority, and again with other prices when that is done; at the end the stock is compared with the last feed, row by row. Replicas of the API can write no file. In turn every replica, PostgreSQL, the bucket and OpenSearch get SIGKILL, and the indexes are deleted in OpenSearch; each time the load goes on until the cluster has repaired itself, and ${SETTLE_MS / 1000} s longer. Twice a second a photo of the feed is requested through nginx, which caches it. Before the first fault, ${NEW_PAGES} pages that no shell has rendered are requested, each with its content, which only the shell that rendered it stores. Before each fault every shell has rendered every page once. A page that a killed shell was sending is requested again, and a lead without an acknowledgement is sent again with the same key.`,
    topology: wholeCluster,
    load: startClusterLoad,
    scenario: clusterLosses,
  }),
  proofOf({
    name: 'rolling-deploy',
    title: 'Every replica is replaced and a schema is extended: no request fails, no write is lost',
    limitMs: 15 * 60_000,
    method: `${UNDER_LOAD} First the migration of a later release adds a column, an index and a table to the tables of what people entered, in two processes at once, while a transaction has read these tables. Then every replica in turn gets SIGTERM, ends by itself and is started again, now with a newer schema than it knows. Nothing may be noticed: no page is cut, and no write has to be sent again. Here nginx learns of a replica's end only by its refused connections; a platform takes it out of service before.`,
    topology: wholeCluster,
    load: startClusterLoad,
    scenario: rollingDeploy,
  }),
  proofOf({
    name: 'shared-database',
    title: 'Two replicas of the API on one PostgreSQL lose no acknowledged write',
    needsPages: false,
    limitMs: 8 * 60_000,
    method: `${WRITERS} clients send leads to two replicas of the API on one PostgreSQL database. A lead without an acknowledgement is retried with the same key at the other replica. In turn, one replica is killed with SIGKILL, then replaced, and PostgreSQL crashes; each phase lasts ${WRITES} acknowledged leads. Afterwards every acknowledged lead must be stored once with one email. Then both replicas are killed and restarted one after the other: others must take over their jobs. Finally, ${CARS} vehicles are imported at the first replica ${IMPORTS} times, each time with different prices, and all replicas are polled for them every 10 ms; after one more import the first replica is killed and its files are deleted. At the end ${MANY_CARS} vehicles are imported while PostgreSQL crashes ${CRASHES} times. Requires Debian's package of PostgreSQL.`,
    topology: apisOnOneDatabase,
    load: async ({ replicas: [first, second] }) =>
      startLeadWriters([first!, second!], await readLead(`http://127.0.0.1:${first!.port}`)),
    scenario: sharedDatabase,
  }),
  proofOf({
    name: 'shared-index',
    title: 'Two replicas of the API on one index find every import',
    needsPages: false,
    limitMs: 8 * 60_000,
    method: `Two replicas of the API share PostgreSQL and one index in OpenSearch. ${CARS} vehicles are imported at the first one ${IMPORTS} times, each time with different prices, and both are polled for them every 10 ms; after one more import the first replica is killed and its files are deleted. Requires Debian's package of PostgreSQL, Java and Maven.`,
    topology: apisOnOneIndex,
    load: noLoad,
    scenario: sharedIndex,
  }),
];
