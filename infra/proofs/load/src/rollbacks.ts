import { setTimeout as wait } from 'node:timers/promises';
import { loadAverage } from '@forecourt/bench/resultsFile';
import { quantile } from '@forecourt/bench/statistics';
import { startOwnStack } from '@forecourt/e2e/ownStack';
import { deploy, fixtureDist, promote, releasesOf } from '@forecourt/e2e/releases';
import { startVisitors } from '@forecourt/e2e/visitors';
import { PAGE, slotHtml, wholePage } from './pages.ts';
import { listed, type Proof, required, told } from './proof.ts';
import { publishVariant, rollBack } from './registryCalls.ts';
import { startReplica } from './shellReplica.ts';
import { until } from './until.ts';

const SHELLS = 3;
const ROLLBACKS = 20;
const LIVE_WITHIN_MS = 2000;
const WORDS = 'Fixture showcase, the next';
/** Longer than a shell keeps what it no longer uses. */
const FORGOTTEN_AFTER_MS = 66_000;
const SECRET = 'rollbacks-proof-secret-of-32-characters';

export const rollbacks: Proof = {
  name: 'rollbacks',
  title: `A rollback is live on every shell within ${LIVE_WITHIN_MS / 1000} s`,
  limitMs: 8 * 60_000,
  method: `${SHELLS} shells follow one registry, each with a visitor who asks for pages all the time. A release is promoted, and when every shell uses it, rolled back. The time runs from before the request of the rollback until each shell names the release before as live (asked every 5 ms); after that a page of each shell must show it. The last rollback comes when the shells have forgotten the release before: each must fetch, check and start it again.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const registry = stack.urls['remote-registry'];
    const { name, version: good } = await deploy(stack.urls, fixtureDist('good'));
    const shells = [stack.urls.shell];
    while (shells.length < SHELLS) {
      const replica = await startReplica(
        stack,
        stack.dataDir,
        {
          LOCAL_MODE: 'true',
          PAGE_CACHE_SECONDS: '0',
          SESSION_SECRET: SECRET,
        },
        onEnd,
      );
      shells.push(replica.url);
    }
    await publishVariant(registry, fixtureDist('good'), '9.5.1', ['Fixture showcase', WORDS]);
    const visits = startVisitors(SHELLS, 100, async (visit) => {
      await wholePage((shells[visit % SHELLS] as string) + PAGE);
    });
    onEnd(() => visits.stop());

    const uses = (shell: string, version: string) => async () => (await releasesOf(shell))[name] === version;
    const promoteEverywhere = async () => {
      await promote(registry, name, '9.5.1');
      await Promise.all(shells.map((shell) => until('the release', uses(shell, '9.5.1'))));
    };
    let wrongPages = 0;
    const measure = async (): Promise<number[]> => {
      const began = performance.now();
      const [, ...times] = await Promise.all([
        rollBack(registry, name),
        ...shells.map(async (shell) => {
          await until('the rollback', uses(shell, good), { everyMs: 5 });
          return performance.now() - began;
        }),
      ]);
      for (const shell of shells)
        if (slotHtml(await wholePage(shell + PAGE), 'showcase').includes(WORDS)) wrongPages += 1;
      return times;
    };

    const warm: number[] = [];
    const loads: number[] = [];
    for (let round = 1; round <= ROLLBACKS; round += 1) {
      await promoteEverywhere();
      warm.push(...(await measure()));
      loads.push(Number(loadAverage()));
    }
    say('waiting until the release before is forgotten');
    await promoteEverywhere();
    await wait(FORGOTTEN_AFTER_MS);
    const cold = await measure();
    await visits.stop();
    const ms = (value: number) => `${Math.round(value)} ms`;
    const slowest = Math.max(...warm, ...cold);
    return [
      told('Rollbacks, times of shells', `${ROLLBACKS + 1}, ${warm.length + cold.length}`),
      told(
        'p50, p95 of a shell that still has the release',
        `${ms(quantile(warm, 0.5))}, ${ms(quantile(warm, 0.95))}`,
      ),
      told('Slowest of these', ms(Math.max(...warm))),
      told('Shells that have forgotten the release', cold.map(ms).join(', ')),
      required('Slowest of all', ms(slowest), `≤ ${LIVE_WITHIN_MS} ms`, slowest <= LIVE_WITHIN_MS),
      required('Pages that showed the withdrawn release afterwards', wrongPages, '0', wrongPages === 0),
      required(
        `Failed of ${visits.count()} visitors' pages`,
        listed(visits.failures),
        '0',
        visits.failures.length === 0,
      ),
      told('Load average meanwhile, at most', Math.max(...loads)),
    ];
  },
};
