import { SITE_PLAN } from '../../marketplace/site.ts';
import { describe, expect, it, jest } from '@jest/globals';
import type { RootState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import type { CallName } from '@forecourt/upstream/calls';
import type { SlotPlacement } from '../layout/placement.ts';
import type { RenderJob } from '../rendering/slotRenderer.ts';
import { tinyRelease, textSlot } from '../rendering/testing/tinyRelease.ts';
import type { PageContent, BootJson } from '../universal/bootData.ts';
import { createStateEncoder } from '../rendering/process/stateEncoder.ts';
import { bootJson, pageContentJson } from './boot.ts';
import { renderPlacement, type SlotRequest } from './renderSlots.ts';

const ADA = { firstName: 'Ada', email: 'ada@example.com' };
const base = buildState();
/** A signed-in visitor who saved this search and two vehicles. */
const STATE: RootState = {
  ...base,
  session: {
    ...base.session,
    signedIn: true,
    account: ADA,
    savedListingIds: ['1', '2'],
    savedSearchCount: 3,
  },
  search: {
    ...base.search,
    pageData: { ...base.search.pageData, saveSearchData: { saveSearchString: 'Ada’s', subscribed: true } },
    requestParams: { zip: '60601', pixallId: 'Ada-7' },
  },
};

const SITE = { ...SITE_PLAN, ownSlots: {} };

const placement = (changes: Partial<SlotPlacement> = {}): SlotPlacement => ({
  slot: 'tiny',
  source: { remote: 'mfe-tiny' },
  criticality: 'optional',
  deadlineMs: 100,
  hydrate: 'load',
  reserve: { narrow: '0', wide: '0' },
  mayRead: ['session', 'search.pageData', 'search.requestParams'],
  ...changes,
});

/** Renders the placement and returns the job that its release got. */
async function jobOf(place: SlotPlacement, reads: string[], changes: Partial<SlotRequest> = {}) {
  const jobs: RenderJob[] = [];
  const release = tinyRelease({ tiny: textSlot('x') }, { reads });
  await renderPlacement(
    place,
    {
      renderer: {
        prepare: () => Promise.resolve(),
        render(job) {
          jobs.push(job);
          return Promise.resolve({ html: '', data: undefined });
        },
        retire: () => {},
        close: () => Promise.resolve(),
      },
      site: SITE,
      metrics: { start: () => () => {} },
      logSlot: () => {},
    },
    {
      state: STATE,
      snapshot: new Map([['mfe-tiny', release]]),
      requestId: 'r',
      signal: new AbortController().signal,
      call: () => Promise.resolve({ data: 'called', source: 'current' as const }),
      ...changes,
    },
  );
  return jobs[0] as RenderJob;
}

describe('what a slot gets to render', () => {
  it('is nothing where the browser renders it', async () => {
    expect(await jobOf(placement(), [])).toBeDefined();
    expect(await jobOf(placement({ renderedBy: 'browser' }), [])).toBeUndefined();
  });

  it('has nothing of the account when the process serves several visitors', async () => {
    const { state, isPersonal } = await jobOf(placement(), [
      'session',
      'search.pageData',
      'search.requestParams',
    ]);
    expect(isPersonal).toBe(false);
    expect(state.search?.requestParams).toEqual({ zip: '60601' });
    expect(JSON.stringify(state)).not.toMatch(/Ada|example|"2"/);
    expect(state.session).toMatchObject({
      signedIn: true,
      account: null,
      savedListingIds: [],
      savedSearchCount: 0,
    });
  });

  it('has the account in a process of its own where the layout says that the slot is personal', async () => {
    const { state, isPersonal } = await jobOf(placement({ isPersonal: true }), ['session']);
    expect(isPersonal).toBe(true);
    expect(state.session).toMatchObject({ account: ADA, savedListingIds: ['1', '2'] });
  });

  it('has only the parts that the layout lets it read, whatever its release needs', async () => {
    const { state } = await jobOf(placement({ mayRead: ['search.pageData'] }), [
      'session',
      'page',
      'search.pageData',
    ]);
    expect(Object.keys(state)).toEqual(['search']);
    expect(Object.keys(state.search ?? {})).toEqual(['pageData']);
  });

  it('runs only calls that the layout allows, without the visitor’s credentials unless it is personal', async () => {
    const call = jest.fn<SlotRequest['call']>(() => Promise.resolve({ data: 'called', source: 'current' }));
    const { signal } = new AbortController();
    const run = async (place: SlotPlacement, name: CallName) =>
      (await jobOf(place, [], { call })).call(name, {}, signal);
    await expect(run(placement({ calls: ['zipLookup'] }), 'listing')).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
    expect(call).not.toHaveBeenCalled();
    await run(placement({ calls: ['listing'] }), 'listing');
    await run(placement({ calls: ['listing'], isPersonal: true }), 'listing');
    expect(call.mock.calls.map(([, , options]) => options.isPersonal)).toEqual([false, true]);
  });
});

describe('the boot data of a signed-in visitor', () => {
  const read = (place: SlotPlacement, encodeState?: ReturnType<typeof createStateEncoder>['encode']) => {
    const page = {
      site: SITE_PLAN,
      state: STATE,
      outcomes: [
        { placement: place, release: undefined, rendered: undefined, completeness: 'full' as const },
      ],
      snapshot: new Map(),
      linked: new Set<string>(),
      entries: new Map(),
      extension: undefined,
    };
    const { state, content, personal } = JSON.parse(
      bootJson(page, pageContentJson(page, encodeState).toString()),
    ) as BootJson & { content: PageContent };
    return { state: { ...state, search: content.search }, personal };
  };

  it('is the same with the state as the slots got it', () => {
    expect(read(placement(), createStateEncoder(['search']).encode)).toEqual(read(placement()));
  });

  it('holds the state of the rendering, and beside it what the browser adds after hydration', () => {
    const { state, personal } = read(placement());
    expect(JSON.stringify(state)).not.toContain('Ada');
    expect(state.search.pageData).not.toEqual(STATE.search.pageData);
    expect(personal).toEqual({
      session: { account: ADA, savedListingIds: ['1', '2'], savedSearchCount: 3 },
      pageData: STATE.search.pageData,
    });
  });

  it('holds the whole state where the page was rendered for this visitor alone', () => {
    expect(read(placement({ isPersonal: true }))).toMatchObject({ state: STATE });
    expect(read(placement({ isPersonal: true })).personal).toBeUndefined();
  });
});
