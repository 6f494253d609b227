import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { kill } from '@forecourt/harness/processes';
import { startVisitors } from '@forecourt/harness/visitors';
import { fixtureDist, promote } from '@forecourt/harness/releases';
import type { Stack } from '@forecourt/local';
import { completePage } from '../pages.ts';
import { until, type Finding, noFailures, reported, required } from '../proof.ts';
import { publishVariant, readHistory } from '../registry.ts';
import { Shopper } from '@forecourt/harness/shopper';
import { clearFaults, injectOutage, STALE_NOTE } from './upstreamFaults.ts';

const MAX_RECOVERY_MS = 2_000;
const KNOWN = '/cars-for-sale/all/ford';
const PATHS = ['toyota', 'honda', 'bmw', 'audi', 'kia', 'mazda', 'nissan'].map(
  (make) => `/cars-for-sale/all/${make}`,
);

/** Every upstream call fails for a second, under traffic; a page seen before and pages never seen are requested. */
export async function shortOutage(stack: Stack): Promise<readonly Finding[]> {
  const { shell, 'marketplace-api': api } = stack.urls;
  // Pages of one visitor, with cookies, are the same search for the upstream.
  const shopper = new Shopper();
  const open = async (path: string) => {
    const { status, text } = await shopper.open(shell + path);
    return status === 200 && text.endsWith('</html>') ? text : undefined;
  };
  await open(KNOWN);
  const bad: number[] = [];
  const stale: number[] = [];
  const visits = startVisitors(4, 40, async (visit) => {
    const isKnown = visit % 2 === 0;
    const path = isKnown ? KNOWN : `${PATHS[visit % PATHS.length]}?minPrice=${1000 + visit}`;
    const html = await open(path);
    const isStale = html?.includes(STALE_NOTE) === true;
    if (isStale) stale.push(performance.now());
    else if (html === undefined) bad.push(performance.now());
    if (isKnown && html === undefined) throw new Error('a page that was seen before is an error screen');
  });
  await wait(2_000);
  await injectOutage(api);
  await wait(1_000);
  await clearFaults(api);
  const endedAt = performance.now();
  await wait(6_000);
  await visits.stop();
  const afterEnd = (times: readonly number[]) => Math.max(0, ...times.map((at) => at - endedAt));
  const [badMs, staleMs] = [afterEnd(bad), afterEnd(stale)];
  return [
    noFailures('visits, of pages seen before the outage', visits.count(), visits.failures),
    required('Older results with a note during an outage of 1 s', stale.length, '≥ 1', stale.length > 0),
    required(
      'Last error screen after the outage',
      `${Math.round(badMs)} ms`,
      `≤ ${MAX_RECOVERY_MS} ms`,
      badMs <= MAX_RECOVERY_MS,
    ),
    required(
      'Last older results after the outage',
      `${Math.round(staleMs)} ms`,
      `≤ ${MAX_RECOVERY_MS} ms`,
      staleMs <= MAX_RECOVERY_MS,
    ),
  ];
}

const ACCOUNT_PATHS = ['/account/saved-vehicles', '/account/saved-searches', '/account'];

/** The identity service is killed: pages work with the session that exists; signing in says that it does not. */
export async function identityAway(
  stack: Stack,
  { signedIn, signedOut }: { readonly signedIn: Shopper; readonly signedOut: Shopper },
): Promise<readonly Finding[]> {
  const { shell } = stack.urls;
  // A call that hung in an earlier check is refused for up to its whole reset.
  for (const path of ACCOUNT_PATHS)
    await until(path, async () => (await signedIn.send(shell + path)).status === 200, {
      limitMs: 60_000,
      everyMs: 500,
    });
  await kill(stack.pids.identity);
  const failures: string[] = [];
  const expectStatus = async (shopper: Shopper, path: string, statuses: readonly number[]) => {
    const { status, text } = await shopper.send(shell + path);
    if (!statuses.includes(status) || !text.endsWith('</html>')) failures.push(`${path}: ${status}`);
  };
  for (const path of [KNOWN, ...ACCOUNT_PATHS]) await expectStatus(signedIn, path, [200]);
  await expectStatus(signedOut, KNOWN, [200]);
  await expectStatus(signedOut, '/account/sign-in?refUrl=%2Faccount', [502, 503]);
  await stack.restart('identity');
  const restartedAt = performance.now();
  const signIn = () => signedOut.send(`${shell}/account/sign-in?refUrl=%2Faccount`);
  // Sign-in is rate limited.
  await until('sign-in', async () => (await signIn()).headers.has('location'), {
    limitMs: 10_000,
    everyMs: 250,
  });
  const backMs = performance.now() - restartedAt;
  return [
    noFailures('pages while identity is away, signed in and out', 6, failures),
    required(
      'Sign-in after identity is back',
      `${Math.round(backMs)} ms`,
      `≤ ${MAX_RECOVERY_MS} ms`,
      backMs <= MAX_RECOVERY_MS,
    ),
  ];
}

const REGISTRY_KILLS = 6;
const WORDS = 'Fixture showcase';

/** The registry is killed while a release is published and promoted; what it acknowledged must survive. */
export async function registryKills(stack: Stack): Promise<readonly Finding[]> {
  const { shell, 'remote-registry': registry } = stack.urls;
  const visits = startVisitors(1, 100, async () => void (await completePage(shell + KNOWN)));
  const acknowledged: string[] = [];
  const remote = 'mfe-showcase';
  for (let round = 1; round <= REGISTRY_KILLS; round += 1) {
    const version = `9.8.${round}`;
    const change = (async () => {
      await publishVariant(registry, fixtureDist('good'), version, [WORDS, `${WORDS} ${version}`]);
      await promote(registry, remote, version);
      acknowledged.push(version);
    })().catch(() => undefined);
    await wait(round * 60);
    await kill(stack.pids['remote-registry']);
    await change;
    await stack.restart('remote-registry');
  }
  await visits.stop();
  const history = await readHistory(registry, remote, 50);
  const lost = acknowledged.filter((version) => history.every(({ after }) => after.live !== version));
  const drafts = readdirSync(join(stack.dataDir, 'registry'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tmp'),
  );
  return [
    noFailures(`visits during ${REGISTRY_KILLS} kills of the registry`, visits.count(), visits.failures),
    required(`Lost promotes, of ${acknowledged.length} acknowledged`, lost.length, '0', lost.length === 0),
    required('Drafts left by killed registries', drafts.length, '0', drafts.length === 0),
  ];
}

const API_KILLS = 4;

/** The API is killed while a visitor saves vehicles; what it acknowledged must survive, and pages must be back soon. */
export async function apiKills(
  stack: Stack,
  shopper: Shopper,
  ids: readonly string[],
): Promise<readonly Finding[]> {
  const { shell } = stack.urls;
  const acknowledged = new Set<string>();
  let slowest = 0;
  for (let round = 0; round < API_KILLS; round += 1) {
    let isOver = false;
    const writes = (async () => {
      for (let at = round * 5; !isOver; at += 1) {
        const listingId = ids[at % ids.length] as string;
        await shopper
          .write(shell, 'saveListing', { listingId })
          .then(() => acknowledged.add(listingId))
          .catch(() => undefined);
        await wait(30);
      }
    })();
    await wait(300 + round * 70);
    await kill(stack.pids['marketplace-api']);
    isOver = true;
    await writes;
    await stack.restart('marketplace-api');
    const readyAt = performance.now();
    const isBack = () =>
      completePage(`${shell}${KNOWN}?minPrice=${2000 + round}`).then(
        (html) => !html.includes(STALE_NOTE),
        () => false,
      );
    await until('fresh pages', isBack, { everyMs: 50 });
    slowest = Math.max(slowest, performance.now() - readyAt);
  }
  // The breaker of account calls is probed, too.
  await wait(MAX_RECOVERY_MS);
  const { text } = await shopper.open(`${shell}/account/saved-vehicles`);
  const lost = [...acknowledged].filter((id) => !text.includes(id));
  return [
    required(
      `Lost saved vehicles, of ${acknowledged.size} acknowledged in ${API_KILLS} kills of the API`,
      lost.length,
      '0',
      lost.length === 0 && acknowledged.size > 0,
    ),
    required(
      'Slowest return of fresh pages after the API is ready',
      `${Math.round(slowest)} ms`,
      '≤ 6000 ms',
      slowest <= 6_000,
    ),
    reported('Vehicles saved', acknowledged.size),
  ];
}
