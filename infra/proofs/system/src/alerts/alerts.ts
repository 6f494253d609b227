import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readRules } from '@forecourt/deploy/monitoring';
import { findPostgres, startPostgres } from '@forecourt/service-kit/testing';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors } from '@forecourt/harness/visitors';
import { getPage } from '@forecourt/harness/serverHtml';
import { freePort, removeDataDir } from '@forecourt/local';
import { type Finding, type Proof, type ProofContext, required, until } from '../proof.ts';
import { type FaultCase, releaseFaults, serviceFaults, stockFaults } from './faultCases.ts';
import {
  type Alerts,
  type Site,
  createTcpProxy,
  createMailServer,
  createPhotoServer,
  startPrometheus,
} from './servers.ts';

/** ms that an alert may take to fire, and to clear after its fault has ended. */
const FIRE_MS = 5 * 60_000;
const CLEAR_MS = 3 * 60_000;
/** The same of alerts over six hours after the last of all faults: several of them count for these. */
const SLOW_CLEAR_MS = 10 * 60_000;
/** Until Prometheus has scraped each target. */
const WARM_UP_MS = 10_000;
const CALM_MS = 60_000;
const MAKES = ['ford', 'toyota', 'honda', 'bmw', 'audi', 'kia', 'mazda', 'nissan'];

/** Which alerts fire, as Prometheus said last, and since when each has fired. */
interface Watched {
  readonly isFiring: (name: string) => boolean;
  /** Times of `performance.now()` of the newest spell; 0 before the first. */
  readonly spell: (name: string) => { readonly since: number; readonly last: number };
  readonly names: () => readonly string[];
}

function watchAlerts(prometheus: Alerts, { onEnd }: ProofContext): Watched {
  let firing: ReadonlySet<string> = new Set();
  const spells = new Map<string, { since: number; last: number }>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const now = await prometheus.firing();
      const at = performance.now();
      for (const name of now)
        spells.set(name, { since: firing.has(name) ? spells.get(name)!.since : at, last: at });
      firing = now;
      await wait(500);
    }
  })();
  onEnd(async () => {
    isOver = true;
    await watching;
  });
  return {
    isFiring: (name) => firing.has(name),
    spell: (name) => spells.get(name) ?? { since: 0, last: 0 },
    names: () => [...spells.keys()],
  };
}

const isSlow = (name: string): boolean => name.endsWith('Slowly');
const seconds = (ms: number): string => `${Math.max(0, ms / 1_000).toFixed(0)} s`;

/** An alert in its fault: reports it when it has cleared, or when it should have. */
type Report = () => Promise<Finding>;

/** Causes a fault until its alerts fire, and ends it. Alerts over six hours are reported by the returned functions. */
async function runFault(
  fault: FaultCase,
  watched: Watched,
): Promise<{ findings: Finding[]; later: Report[] }> {
  const begunAt = performance.now();
  await fault.begin();
  const fire = until('alerts fire', () => fault.alerts.every(watched.isFiring), {
    limitMs: FIRE_MS,
    everyMs: 250,
  });
  // One that does not fire is reported below.
  await fire.catch(() => undefined);
  const fired = new Map(
    fault.alerts.map((name) => [name, watched.isFiring(name) && watched.spell(name).since]),
  );
  await fault.end();
  const endedAt = performance.now();
  const report = (name: string) => async (): Promise<Finding> => {
    const limitMs = isSlow(name) ? SLOW_CLEAR_MS : CLEAR_MS;
    const clear = until('it clears', () => !watched.isFiring(name), { limitMs, everyMs: 250 });
    const hasCleared = await clear.then(
      () => true,
      () => false,
    );
    const since = fired.get(name);
    const times = [
      typeof since === 'number' ? `fired after ${seconds(since - begunAt)}` : 'did not fire',
      hasCleared ? `cleared after ${seconds(watched.spell(name).last - endedAt)}` : 'did not clear',
    ];
    const isProven = typeof since === 'number' && since > begunAt && hasCleared;
    return { measure: `${name}: ${fault.title}`, value: times.join(', '), isMet: isProven };
  };
  const findings: Finding[] = [];
  for (const name of fault.alerts.filter((one) => !isSlow(one))) findings.push(await report(name)());
  return { findings, later: fault.alerts.filter(isSlow).map(report) };
}

/** Starts two shells, their services and all that a fault needs. */
async function startSite(context: ProofContext): Promise<Site> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: nothing was proven');
  const database = await startPostgres(bin);
  context.onEnd(database.stop);
  const taken: number[] = [];
  const nextPort = async () => {
    const port = await freePort(taken);
    taken.push(port);
    return port;
  };
  const registry = await nextPort();
  const [first, second, smtp] = [await nextPort(), await nextPort(), await nextPort()];
  const [lost, silent] = [await nextPort(), await nextPort()];
  const toRegistry = [createTcpProxy(first, registry), createTcpProxy(second, registry)] as const;
  const mail = createMailServer(smtp);
  const photos = { lost: await createPhotoServer(lost), silent: await createPhotoServer(silent) };
  for (const server of [...toRegistry, mail, photos.lost]) await server.start();
  for (const server of [...toRegistry, mail, photos.lost, photos.silent]) context.onEnd(server.stop);
  const [lostOrigin, silentOrigin] = [`http://127.0.0.1:${lost}`, `http://127.0.0.1:${silent}`];
  const stack = await startOwnStack({
    inventorySize: 1_000,
    ports: { 'remote-registry': registry },
    environment: {
      REGISTRY_URL: `http://127.0.0.1:${first}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp}`,
      INTERNAL_PHOTO_ORIGINS: `${lostOrigin},${silentOrigin}`,
    },
  });
  context.onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-alerts-'));
  context.onEnd(() => removeDataDir(folder));
  const replica = await startReplica(
    stack,
    join(folder, 'shell'),
    {
      LOCAL_MODE: 'true',
      REGISTRY_URL: `http://127.0.0.1:${second}`,
      DATABASE_URL: database.url,
      // Local mode has no limit, and counts nothing.
      RENDER_LIMITS: 'pagesPerMinute=100000',
    },
    context.onEnd,
  );
  return {
    stack,
    second: replica,
    database,
    toRegistry,
    mail,
    photos: { ...photos, lostOrigin, silentOrigin },
  };
}

const hostOf = (url: string): string => new URL(url).host.replace('localhost', '127.0.0.1');

export const alerts: Proof = {
  name: 'alerts',
  title: 'Each alert fires in its fault, and clears after it',
  limitMs: 45 * 60_000,
  method: `Prometheus scrapes two shells, registry, API and identity with the rules as deployed, but every duration in them is a sixtieth: an hour takes a minute. Visitors request searches that no cache has. After ${CALM_MS / 1_000} s without faults one fault follows the other; those of stock and emails go on beside those of releases. An alert must fire within ${FIRE_MS / 60_000} minutes, and clear within ${CLEAR_MS / 60_000} after the fault's end, over six hours within ${SLOW_CLEAR_MS / 60_000} after the last fault. Requires Debian's packages of Prometheus and PostgreSQL.`,
  async run(context) {
    const site = await startSite(context);
    const { stack, second } = site;
    const prometheusFolder = mkdtempSync(join(tmpdir(), 'forecourt-prometheus-'));
    context.onEnd(() => removeDataDir(prometheusFolder));
    const prometheus = await startPrometheus(prometheusFolder, await freePort(), {
      shell: [hostOf(stack.urls.shell), hostOf(second.url)],
      registry: [hostOf(stack.urls['remote-registry'])],
      api: [hostOf(stack.urls['marketplace-api'])],
      identity: [hostOf(stack.urls.identity)],
    });
    context.onEnd(prometheus.stop);
    await wait(WARM_UP_MS);
    const watched = watchAlerts(prometheus, context);
    const shells = [stack.urls.shell, stack.urls.shell, second.url];
    const visitors = startVisitors(3, 250, async (visit) => {
      const path = `/cars-for-sale/all/${MAKES[visit % MAKES.length]}?minPrice=${1_000 + visit}`;
      await getPage(shells[visit % shells.length] + path);
    });
    context.onEnd(() => visitors.stop());
    context.say('no faults');
    await wait(CALM_MS);
    const unexpected = watched.names();
    const findings: Finding[] = [];
    const later: Report[] = [];
    const runAll = async (faults: readonly FaultCase[]) => {
      for (const fault of faults) {
        context.say(fault.title);
        const result = await runFault(fault, watched);
        findings.push(...result.findings);
        later.push(...result.later);
      }
    };
    await Promise.all([runAll(stockFaults(site)), runAll(releaseFaults(site))]);
    await runAll(serviceFaults(site));
    context.say('alerts over six hours');
    for (const report of later) findings.push(await report());
    const faulted = new Set(findings.map(({ measure }) => measure.split(':', 1)[0]));
    const missing = readRules().alerts.filter(({ alert }) => !faulted.has(alert));
    return [
      required('Alerts before the first fault', unexpected.join(', ') || 0, '0', unexpected.length === 0),
      ...findings,
      required(
        'Alerts without a fault here',
        missing.map(({ alert }) => alert).join(', ') || 0,
        '0',
        missing.length === 0,
      ),
    ];
  },
};
