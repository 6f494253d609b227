import { setTimeout as wait } from 'node:timers/promises';
import { loadAverage } from '@forecourt/harness/machine';
import { fixtureDist, promote, releasesOf } from '@forecourt/harness/releases';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { quantile } from '@forecourt/harness/statistics';
import { startVisitors, type Visits } from '@forecourt/harness/visitors';
import { completePage, PAGE } from '../pages.ts';
import { noFailures, reported, required, until } from '../proof.ts';
import { publishVariant, rollBack } from '../registry.ts';
import { type Disruption, type Scenario, secondsOf } from './disruption.ts';
import type { shellsOfOneRegistry, SystemOf } from './topologies.ts';

const ROLLBACKS = 20;
export const LIVE_WITHIN_MS = 2000;
const NEXT = '9.5.1';
const WORDS = 'Fixture showcase, next release';
/** Longer than a shell keeps a release that is no longer live. */
const RETIRED_AFTER_MS = 66_000;

type Site = SystemOf<typeof shellsOfOneRegistry>;

/** A visitor of each shell. */
export const visitorsOfAll = ({ shells }: Site): Visits =>
  startVisitors(shells.length, 100, async (visit) => {
    await completePage((shells[visit % shells.length] as string) + PAGE);
  });

const uses =
  ({ remote }: Site, shell: string, version: string) =>
  async () =>
    (await releasesOf(shell))[remote] === version;

/** Promotes the next release and waits until every shell uses it. */
async function promoteEverywhere(site: Site): Promise<void> {
  await promote(site.registry, site.remote, NEXT);
  await Promise.all(site.shells.map((shell) => until('the shell uses the release', uses(site, shell, NEXT))));
}

/** Rolls back; returns the ms until each shell has the previous release live, and the pages that are still wrong. */
async function measureRollback(site: Site): Promise<{ times: number[]; wrongPages: number }> {
  const { registry, remote, good, shells } = site;
  const started = performance.now();
  const [, ...times] = await Promise.all([
    rollBack(registry, remote),
    ...shells.map(async (shell) => {
      await until('the shell has rolled back', uses(site, shell, good), { everyMs: 5 });
      return performance.now() - started;
    }),
  ]);
  let wrongPages = 0;
  for (const shell of shells)
    if (slotHtml(await completePage(shell + PAGE), 'showcase').includes(WORDS)) wrongPages += 1;
  return { times, wrongPages };
}

const ms = (value: number): string => `${Math.round(value)} ms`;

/** Rolls back again and again, at last to a release that the shells have retired. */
export async function rollbacks(site: Site, visits: Visits): Promise<Scenario> {
  await publishVariant(site.registry, fixtureDist('good'), NEXT, ['Fixture showcase', WORDS]);
  const times = { warm: [] as number[], cold: [] as number[] };
  const loads: number[] = [];
  let wrongPages = 0;
  const rolling = (name: string, kind: keyof typeof times, pauseMs = 0): Disruption => ({
    name,
    isSilent: kind === 'warm',
    async prepare() {
      await promoteEverywhere(site);
      await wait(pauseMs);
    },
    run: () =>
      secondsOf(async () => {
        const rollback = await measureRollback(site);
        times[kind].push(...rollback.times);
        wrongPages += rollback.wrongPages;
        if (kind === 'warm') loads.push(Number(loadAverage()));
      }),
  });
  return {
    disruptions: [
      ...Array.from({ length: ROLLBACKS }, (_, at) => rolling(`rollback ${at + 1}`, 'warm')),
      rolling('rollback to a retired release', 'cold', RETIRED_AFTER_MS),
    ],
    findings() {
      const { warm, cold } = times;
      const slowest = Math.max(...warm, ...cold);
      return [
        reported('Rollbacks, measured times', `${ROLLBACKS + 1}, ${warm.length + cold.length}`),
        reported(
          'p50, p95 with the release still loaded',
          `${ms(quantile(warm, 0.5))}, ${ms(quantile(warm, 0.95))}`,
        ),
        reported('Slowest with the release still loaded', ms(Math.max(...warm))),
        reported('With the release retired', cold.map(ms).join(', ')),
        required('Slowest of all', ms(slowest), `≤ ${LIVE_WITHIN_MS} ms`, slowest <= LIVE_WITHIN_MS),
        required('Pages that showed the withdrawn release afterwards', wrongPages, '0', wrongPages === 0),
        noFailures('page requests', visits.count(), visits.failures),
        reported('Highest load average', Math.max(...loads)),
      ];
    },
  };
}
