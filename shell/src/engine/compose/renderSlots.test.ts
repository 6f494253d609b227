import { describe, expect, it, jest } from '@jest/globals';
import type { StateSlice } from '@forecourt/slots/state';
import type { SlotPlacement } from '../layout/placement.ts';
import type { RenderJob } from '../rendering/slotRenderer.ts';
import { createSlotBreakers } from '../rendering/slotBreakers.ts';
import { tinyRelease, textSlot } from '../rendering/testing/tinyRelease.ts';
import type { PageContent, BootJson } from '../universal/bootData.ts';
import type { LibraryCall } from '../testing/libraryCalls.ts';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { asPageState, buildLibraryState, libraryState, type LibraryState } from '../testing/libraryState.ts';
import { createStateEncoder } from '../rendering/process/stateEncoder.ts';
import { bootJson, pageContentJson } from './boot.ts';
import { renderPlacement, type SlotRequest } from './renderSlots.ts';

const ADA = { reader: 'Ada', email: 'ada@example.com', loans: ['1', '2'] };
/** A reader who borrowed two books and wrote a note about this shelf. */
const STATE = buildLibraryState({
  session: { isSignedIn: true, ...ADA },
  shelf: { note: 'Ada’s', sort: 'year' },
});

const SITE = { ...LIBRARY_PLAN, ownSlots: {} };

const placement = (changes: Partial<SlotPlacement> = {}): SlotPlacement => ({
  slot: 'tiny',
  source: { remote: 'mfe-tiny' },
  criticality: 'optional',
  deadlineMs: 100,
  hydrate: 'load',
  reserve: { narrow: '0', wide: '0' },
  mayRead: ['session', 'shelf.note', 'shelf.sort'],
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
      slotBreakers: createSlotBreakers(),
      metrics: { start: () => () => {} },
      logSlot: () => {},
    },
    {
      state: asPageState(STATE),
      snapshot: new Map([['mfe-tiny', release]]),
      requestId: 'r',
      signal: new AbortController().signal,
      call: () => Promise.resolve({ data: 'called', source: 'current' as const }),
      ...changes,
    },
  );
  return jobs[0] as Omit<RenderJob, 'state'> & { readonly state: StateSlice<LibraryState> };
}

describe('what a slot gets to render', () => {
  it('is nothing where the browser renders it', async () => {
    expect(await jobOf(placement(), [])).toBeDefined();
    expect(await jobOf(placement({ renderedBy: 'browser' }), [])).toBeUndefined();
  });

  it('has nothing of the account when the process serves several visitors', async () => {
    const { state, isPersonal } = await jobOf(placement(), ['session', 'shelf.note', 'shelf.sort']);
    expect(isPersonal).toBe(false);
    expect(state.shelf).toEqual({ note: null, sort: 'year' });
    expect(JSON.stringify(state)).not.toMatch(/Ada|example|"2"/);
    expect(state.session).toEqual({ isSignedIn: true, reader: null, email: null, loans: [] });
  });

  it('has the account in a process of its own where the layout says that the slot is personal', async () => {
    const { state, isPersonal } = await jobOf(placement({ isPersonal: true }), ['session']);
    expect(isPersonal).toBe(true);
    expect(state.session).toMatchObject(ADA);
  });

  it('has only the parts that the layout lets it read, whatever its release needs', async () => {
    const { state } = await jobOf(placement({ mayRead: ['shelf.sort'] }), ['session', 'page', 'shelf.sort']);
    expect(Object.keys(state)).toEqual(['shelf']);
    expect(Object.keys(state.shelf ?? {})).toEqual(['sort']);
  });

  it('runs only calls that the layout allows, without the visitor’s credentials unless it is personal', async () => {
    const call = jest.fn<SlotRequest['call']>(() => Promise.resolve({ data: 'called', source: 'current' }));
    const { signal } = new AbortController();
    const run = async (place: SlotPlacement, name: LibraryCall) =>
      (await jobOf(place, [], { call })).call(name as never, {}, signal);
    await expect(run(placement({ calls: ['branch'] }), 'book')).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
    expect(call).not.toHaveBeenCalled();
    await run(placement({ calls: ['book'] }), 'book');
    await run(placement({ calls: ['book'], isPersonal: true }), 'book');
    expect(call.mock.calls.map(([, , options]) => options.isPersonal)).toEqual([false, true]);
  });
});

describe('the boot data of a signed-in visitor', () => {
  const read = (place: SlotPlacement, encodeState?: ReturnType<typeof createStateEncoder>['encode']) => {
    const page = {
      site: LIBRARY_PLAN,
      state: asPageState(STATE),
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
    const { shelf } = content as unknown as LibraryState;
    return { state: { ...(state as unknown as LibraryState), shelf }, personal };
  };

  it('is the same with the state as the slots got it', () => {
    expect(read(placement(), createStateEncoder(libraryState.divided).encode)).toEqual(read(placement()));
  });

  it('holds the state of the rendering, and beside it what the browser adds after hydration', () => {
    const { state, personal } = read(placement());
    expect(JSON.stringify(state)).not.toContain('Ada');
    expect(state.shelf.note).toBeNull();
    expect(personal).toEqual({ session: ADA, note: STATE.shelf.note });
  });

  it('holds the whole state where the page was rendered for this visitor alone', () => {
    expect(read(placement({ isPersonal: true }))).toMatchObject({ state: STATE });
    expect(read(placement({ isPersonal: true })).personal).toBeUndefined();
  });
});
