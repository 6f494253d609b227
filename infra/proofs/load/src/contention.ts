import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '@forecourt/bench/report';
import { startOwnStack, startVisitors } from '@forecourt/e2e/ownStack';
import { PAGE, completePage } from './pages.ts';
import {
  countOf,
  metricsOf,
  type Proof,
  type ProofContext,
  noFailures,
  reported,
  required,
} from './proof.ts';

const SECONDS = 120;
const VISITORS = 2;
const PAUSE_MS = 250;
const WARM_UP_PAGES = 10;
/** Two busy processes for each core: a release gets a third of one at best. */
const BURNERS = availableParallelism() * 2;

/** Keeps every core busy with other work until the proof ends; each process also ends by itself. */
function saturate({ onEnd }: ProofContext): void {
  const seconds = SECONDS + 30;
  const loop = `const end = Date.now() + ${seconds * 1000}; while (Date.now() < end);`;
  for (let at = 0; at < BURNERS; at += 1) {
    const burner = spawn(process.execPath, ['-e', loop], { stdio: 'ignore' });
    onEnd(() => void burner.kill('SIGKILL'));
  }
}

export const contention: Proof = {
  name: 'contention',
  title: 'Healthy releases on a machine that is busy with other work',
  limitMs: 5 * 60_000,
  method: `${BURNERS} processes compute on ${BURNERS / 2} cores for ${SECONDS} s. At the same time ${VISITORS} visitors request uncached pages, each ${PAUSE_MS} ms after its last. Deaths and fallbacks are the shell's counters; the results slot is required, the others are optional.`,
  async run(context) {
    const stack = await startOwnStack();
    context.onEnd(stack.remove);
    const url = stack.urls.shell + PAGE;
    for (let page = 0; page < WARM_UP_PAGES; page += 1) await completePage(url);
    saturate(context);
    const times: number[] = [];
    let plain = 0;
    const visits = startVisitors(VISITORS, PAUSE_MS, async () => {
      const startedAt = performance.now();
      const html = await completePage(url);
      times.push(performance.now() - startedAt);
      if (html.includes('class="fc-plain"')) plain += 1;
    });
    context.onEnd(() => visits.stop());
    for (let second = 0; second < SECONDS; second += 30) {
      await wait(30_000);
      context.say(`${second + 30} s: ${times.length} pages`);
    }
    await visits.stop();
    const metrics = await metricsOf(stack.urls.shell);
    const deaths = countOf(metrics, 'forecourt_release_process_events_total', 'event="release-died"');
    const fallbacks = countOf(metrics, 'forecourt_slot_failures_total');
    const shed = countOf(metrics, 'forecourt_shed_total');
    return [
      noFailures('page requests', visits.count(), visits.failures),
      required('Deaths of healthy releases', deaths, '0', deaths === 0),
      required('Pages whose results are a fallback', plain, '0', plain === 0),
      required('Fallbacks of all slots', fallbacks, '0', fallbacks === 0),
      reported('Shed: optional slots, stale pages, refused pages', shed),
      reported('Time of a page, p50', `${Math.round(quantile(times, 0.5))} ms`),
      reported('Time of a page, p99', `${Math.round(quantile(times, 0.99))} ms`),
    ];
  },
};
