import { describe, expect, it } from '@jest/globals';
import { RenderFailure, type RenderJob } from '../rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { warmUpRelease } from './warmUpRelease.ts';

const pages = LIBRARY_PLAN.recordedPages();

/** Warms up a release with two slots that the server renders and one that it doesn't. */
async function run(fails: (job: RenderJob, count: number) => boolean = () => false) {
  const release = tinyRelease({
    shelf: textSlot('shelf'),
    filters: textSlot('filters'),
    'floor-plan': textSlot('floor plan'),
  });
  const jobs: RenderJob[] = [];
  const startedAt = performance.now();
  await warmUpRelease(release, {
    site: LIBRARY_PLAN,
    pages,
    renderer: {
      render(job) {
        jobs.push(job);
        return fails(job, jobs.length)
          ? Promise.reject(new RenderFailure('DIED', 'its process is gone'))
          : Promise.resolve({ html: '<p>text</p>', data: null });
      },
    },
  });
  return { jobs, ms: performance.now() - startedAt };
}

describe('the warm-up of a release', () => {
  it('renders each slot of the server again and again over pages that are no extremes', async () => {
    const { jobs } = await run();
    expect(new Set(jobs.map(({ slot }) => slot))).toEqual(new Set(['shelf', 'filters']));
    const shown = pages.filter(({ isShown }) => isShown);
    expect(jobs.length % (2 * shown.length)).toBe(0);
    expect(jobs.length).toBeGreaterThanOrEqual(20);
    expect(jobs.every(({ isPersonal }) => !isPersonal)).toBe(true);
  });

  it('ends with the first failure, and accepts the release all the same', async () => {
    const { jobs } = await run((_, count) => count === 3);
    expect(jobs).toHaveLength(3);
  });

  it('gives a render no more than half a second', async () => {
    const { jobs } = await run();
    expect(jobs.every(({ deadlineMs, cpuMs }) => deadlineMs <= 500 && cpuMs === undefined)).toBe(true);
  });
});
