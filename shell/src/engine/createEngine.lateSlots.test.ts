import { describe, expect, it } from '@jest/globals';
import { withDeadline } from './rendering/slotRenderer.ts';
import { tinyRelease } from './rendering/testing/tinyRelease.ts';
import { startLibrary } from './testing/startLibrary.ts';

const live = (slot: string, remote: string) => ({ live: tinyRelease({ [slot]: '1' }, { name: remote }) });

/** Opens pages whose `lateSlot` never answers; how often it was asked to, and how long each page took, in ms. */
async function openPages(lateSlot: string) {
  let asked = 0;
  const rig = await startLibrary({
    live: new Map([
      ['mfe-shelf', live('shelf', 'mfe-shelf')],
      ['mfe-reviews', live('reviews', 'mfe-reviews')],
    ]),
    environment: { CACHE_SECONDS: 'pages=0,slots=0' },
    render({ slot, deadlineMs, signal }) {
      if (slot !== lateSlot) return Promise.resolve({ html: `<p>${slot}</p>`, data: null });
      asked += 1;
      return withDeadline(deadlineMs, signal, () => new Promise<never>(() => {}));
    },
  });
  const times: number[] = [];
  for (let page = 0; page < 8; page += 1) {
    const started = performance.now();
    const { status } = await rig.send('/library/shelf');
    expect(status).toBe(200);
    times.push(performance.now() - started);
  }
  const metrics = await rig.metrics.metrics();
  await rig.stop();
  return { asked, times, metrics };
}

describe('pages with a slot that never answers', () => {
  it('wait for an optional one five times, then no longer', async () => {
    const { asked, times, metrics } = await openPages('reviews');
    expect(asked).toBe(5);
    expect(Math.min(...times.slice(0, 5))).toBeGreaterThan(2 * Math.max(...times.slice(5)));
    expect(metrics).toContain(
      'forecourt_slot_failures_total{slot="reviews",release="mfe-reviews@1.0.0",code="PAUSED"} 3',
    );
  });

  it('wait for the required one each time', async () => {
    expect((await openPages('shelf')).asked).toBe(8);
  });
});
