import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { SlotPlacement } from '../layout/placement.ts';
import type { ProcessRendererOptions } from '../rendering/process/renderer.ts';
import type { Sandbox } from '../rendering/process/sandbox.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { createSlotBreakers } from '../rendering/slotBreakers.ts';
import { recordingRenderer, testSandboxes } from '../rendering/testing/processRenderer.ts';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { asPageState, buildLibraryState } from '../testing/libraryState.ts';
import { renderPlacement } from './renderSlots.ts';

jest.setTimeout(120_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(['process']);
});
afterAll(() => built.remove());

const open: SlotRenderer[] = [];
afterEach(() => Promise.all(open.splice(0).map((renderer) => renderer.close())));

const PLACEMENT: SlotPlacement = {
  slot: 'tiny',
  source: { remote: 'mfe-tiny' },
  criticality: 'optional',
  // The check, not the deadline, is to end it.
  deadlineMs: 10_000,
  hydrate: 'load',
  reserve: { narrow: '0', wide: '0' },
  mayRead: [],
};

const view = (props: string): string =>
  `defineSlot({ reads: [], view: () => React.createElement('div', ${props}) })`;

/** What the check accepts, in no less than some ms: each of many elements has another long style. */
const COSTLY = view(`{ dangerouslySetInnerHTML: { __html: Array.from({ length: 6_000 }, (_, at) =>
  '<i style="' + ('--a' + at + ':calc(1px + 2em);').repeat(5) + 'width:1px"></i>').join('') } }`);
const ORDINARY = view(`{ title: 'x' }, 'a book'`);

/** Renders pages with the slot, one after another, until one lacks it or `most` are rendered. */
async function renderPages(slot: string, most: number, limits: ProcessRendererOptions['limits'] = {}) {
  const { renderer, deaths } = recordingRenderer(built.sandboxes.get('process') as Sandbox, { limits });
  open.push(renderer);
  const release = tinyRelease({ tiny: slot });
  await renderer.prepare(release);
  const failures: string[] = [];
  let pages = 0;
  while (pages < most && renderer.health().every(({ isPaused }) => !isPaused)) {
    const { failure } = await renderPlacement(
      PLACEMENT,
      {
        renderer,
        slotBreakers: createSlotBreakers(),
        site: { ...LIBRARY_PLAN, ownSlots: {} },
        metrics: { start: () => () => {} },
        logSlot: () => {},
      },
      {
        state: asPageState(buildLibraryState()),
        snapshot: new Map([['mfe-tiny', release]]),
        requestId: 'r',
        signal: new AbortController().signal,
        call: () => Promise.reject(new Error('no call is expected')),
      },
    );
    pages += 1;
    if (failure) failures.push(failure);
  }
  const [health] = renderer.health();
  return { pages, failures, deaths: deaths(), health };
}

describe('a release whose HTML takes long to check', () => {
  it('is ended again and again, and paused', async () => {
    const { pages, deaths, health } = await renderPages(COSTLY, 500, { shellMs: 30, shellShare: 0.05 });
    expect(deaths.length).toBeGreaterThanOrEqual(4);
    expect(deaths[0]).toMatchObject({
      release: 'mfe-tiny@1.0.0',
      reason: expect.stringContaining('the shell’s thread') as unknown,
    });
    expect(health).toMatchObject({ isPaused: true });
    expect(pages).toBeLessThan(200);
  });

  it('would have all of its pages without the limit', async () => {
    const { failures, deaths } = await renderPages(COSTLY, 20, { shellMs: Infinity });
    expect([failures, deaths]).toEqual([[], []]);
  });
});

it('a release with ordinary HTML is not ended, however many pages it renders', async () => {
  const { failures, deaths } = await renderPages(ORDINARY, 150);
  expect([failures, deaths]).toEqual([[], []]);
});
