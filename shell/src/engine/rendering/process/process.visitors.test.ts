import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { renderPlacement } from '../../compose/renderSlots.ts';
import type { SlotPlacement } from '../../layout/placement.ts';
import { LIBRARY_PLAN } from '../../testing/libraryPlan.ts';
import { asPageState, buildLibraryState, type LibraryState } from '../../testing/libraryState.ts';
import type { RenderJob, SlotRenderer } from '../slotRenderer.ts';
import { recordingRenderer, testSandboxes } from '../testing/processRenderer.ts';
import { createSlotBreakers } from '../slotBreakers.ts';
import { loadingSlot, renderJob, tinyRelease } from '../testing/tinyRelease.ts';
import { SANDBOX_LEVELS, type Sandbox } from './sandbox.ts';

jest.setTimeout(60_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(SANDBOX_LEVELS);
});
afterAll(() => built.remove());

const opened: SlotRenderer[] = [];
afterEach(() => Promise.all(opened.splice(0).map((renderer) => renderer.close())));

/** Where a release can keep what it saw of one visitor: expressions that store `seen` and yield what was stored before. */
const HIDING_PLACES = {
  'module scope': '[kept, kept = seen][0]',
  'the prototype of all objects': '[({}).kept, Object.prototype.kept = seen][0]',
  'the prototype of arrays': '[[].kept, Array.prototype.kept = seen][0]',
  'the global object': '[globalThis.kept, globalThis.kept = seen][0]',
  'a closure of the shared React': `(() => {
    const { prototype } = React.Component;
    if (!prototype.setState.keep) {
      let hidden;
      prototype.setState = Object.assign(() => {}, { keep: (seen) => [hidden, hidden = seen][0] });
    }
    return prototype.setState.keep(seen);
  })()`,
};
type Place = keyof typeof HIDING_PLACES;

/** Shows what it kept of the visitor before. */
const spyIn = (place: Place) =>
  tinyRelease(
    { tiny: loadingSlot(`const seen = JSON.stringify(state); return 'before: ' + ${HIDING_PLACES[place]}`) },
    { top: 'let kept;', reads: ['session', 'shelf.note', 'shelf.sort'] },
  );

const visitor = (reader: string, sort: string): LibraryState =>
  buildLibraryState({
    session: {
      isSignedIn: true,
      reader,
      email: `${reader}@example.com`,
      loans: [`borrowed by ${reader}`],
    },
    shelf: { note: `noted by ${reader}`, sort },
  });
const ADA = visitor('Ada', 'year');
const BOB = visitor('Bob', 'title');

const sessionOf = ({ session }: LibraryState) => ({ session }) as unknown as RenderJob['state'];

/** Renders the release for Ada, then for Bob, whose HTML is returned. */
async function bobsHtml(place: Place, sandbox: Sandbox, isPersonal: boolean): Promise<string> {
  const { renderer } = recordingRenderer(sandbox);
  opened.push(renderer);
  const release = spyIn(place);
  await renderer.prepare(release);
  const placement: SlotPlacement = {
    slot: 'tiny',
    source: { remote: 'mfe-tiny' },
    criticality: 'optional',
    // No deadline is tried here, and other tests may have the cores.
    deadlineMs: 30_000,
    hydrate: 'load',
    reserve: { narrow: '0', wide: '0' },
    mayRead: ['session', 'shelf.note', 'shelf.sort'],
    ...(isPersonal && { isPersonal }),
  };
  const render = async (state: LibraryState) => {
    const { rendered, failure } = await renderPlacement(
      placement,
      {
        renderer,
        site: { ...LIBRARY_PLAN, ownSlots: {} },
        slotBreakers: createSlotBreakers(),
        metrics: { start: () => () => {} },
        logSlot: () => {},
      },
      {
        state: asPageState(state),
        snapshot: new Map([['mfe-tiny', release]]),
        requestId: 'r',
        signal: new AbortController().signal,
        call: () => Promise.reject(new Error('no call is expected')),
      },
    );
    if (!rendered) throw new Error(failure);
    return rendered.html;
  };
  await render(ADA);
  return render(BOB);
}

describe.each(SANDBOX_LEVELS)('at the level %s, a release that keeps what it sees in', (level) => {
  const places = Object.keys(HIDING_PLACES) as Place[];

  it.each(places)('%s has nothing personal to show to the next visitor', async (place) => {
    const sandbox = built.sandboxes.get(level);
    if (!sandbox) return;
    const html = await bobsHtml(place, sandbox, false);
    // It did keep the state of Ada's page, of which this is not personal.
    expect(html).toContain('year');
    expect(html).not.toMatch(/Ada|borrowed by|noted by/);
  });

  it.each(places)('%s has nothing at all where its process renders personal pages', async (place) => {
    const sandbox = built.sandboxes.get(level);
    if (!sandbox) return;
    expect(await bobsHtml(place, sandbox, true)).toBe('<p>before: undefined</p>');
  });

  it.each(places)('%s would show the visitor before, if their state was not stripped', async (place) => {
    const sandbox = built.sandboxes.get(level);
    if (!sandbox) return;
    const { renderer } = recordingRenderer(sandbox);
    opened.push(renderer);
    const release = spyIn(place);
    await renderer.prepare(release);
    await renderer.render(renderJob(release, 'tiny', { state: sessionOf(ADA) }));
    const { html } = await renderer.render(renderJob(release, 'tiny', { state: sessionOf(BOB) }));
    expect(html).toContain('Ada');
  });
});
