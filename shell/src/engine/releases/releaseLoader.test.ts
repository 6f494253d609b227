import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { classTag } from '@forecourt/releases/ownNames';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { createInlineRenderer } from '../rendering/inline.ts';
import { RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { shellProvides, createReleaseLoader } from './releaseLoader.ts';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { registryOf } from './testing/registryOf.ts';
import { ReleaseError, type RegistryClient } from './registryClient.ts';

const renderers: SlotRenderer[] = [];
afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

/** A registry with one release, whose slots are sources, and the loader of a shell that follows it. */
function rig(
  slots: Record<string, string>,
  options: {
    reads?: string[];
    manifest?: Partial<ReleaseManifest>;
    renderer?: Partial<SlotRenderer>;
    registry?: Partial<RegistryClient>;
    name?: string;
    /** Of a style sheet. */
    css?: string;
    takesDevelopmentBuilds?: true;
    /** Source of the entry for browsers. */
    web?: string;
  } = {},
) {
  const { name = 'mfe-tiny', css, web } = options;
  const tiny = tinyRelease(slots, { name, ...(options.reads && { reads: options.reads }) });
  const styles = css === undefined ? [] : [['web/tiny.css', Buffer.from(css)] as const];
  const entries = web === undefined ? [] : [['web/remoteEntry.js', Buffer.from(web)] as const];
  const release = { ...tiny, webFiles: new Map([...tiny.webFiles, ...styles, ...entries]) };
  const published = registryOf({ ...release, manifest: { ...release.manifest, ...options.manifest } });
  const registry = { ...published, ...options.registry };
  const inline = createInlineRenderer(LIBRARY_PLAN);
  renderers.push(inline);
  const renderer = { ...inline, retire: jest.fn(inline.retire), ...options.renderer };
  const loader = createReleaseLoader({
    registry,
    renderer,
    provides: {
      ...shellProvides(LIBRARY_PLAN),
      ...(options.takesDevelopmentBuilds && { takesDevelopmentBuilds: true as const }),
    },
    site: LIBRARY_PLAN,
  });
  return { loader, renderer, tryOut: () => loader.tryOut(name, '1.0.0') };
}
const rulesOf = ({ refusals }: { refusals: readonly { rule: string }[] }) => refusals.map(({ rule }) => rule);

const READS = ['shelf.entries', 'session'];
/** A slot whose view is the body of a function of the state. */
const viewing = (body: string) =>
  `defineSlot({ reads: ${JSON.stringify(READS)}, view: () => {
    const entries = usePageState((state) => state.shelf.entries);
    const session = usePageState((state) => state.session);
    ${body}
  } })`;

describe('release loader', () => {
  it('accepts a release whose slots render every recorded page', async () => {
    const { loader, tryOut } = rig(
      { one: textSlot('x'), two: viewing('return String(session.isSignedIn)') },
      { reads: READS },
    );
    const answer = await tryOut();
    expect(answer).toMatchObject({ release: 'mfe-tiny@1.0.0', isAccepted: true, refusals: [] });
    // The report shows each slot over one page.
    const shown = answer.renders.filter(({ html }) => html !== undefined);
    expect(shown.map(({ slot, context }) => `${slot} ${context}`)).toEqual(['one ordinary', 'two ordinary']);
    expect(answer.renders.map(({ slot, context }) => `${slot} ${context}`)).toEqual(
      ['one', 'two'].flatMap((slot) =>
        ['empty', 'ordinary', 'odd', 'calls-fail'].map((context) => `${slot} ${context}`),
      ),
    );
    expect((await loader.load('mfe-tiny', '1.0.0')).id).toBe('mfe-tiny@1.0.0');
  });

  it('refuses a release that reads a part of the state outside its reads, and names the part', async () => {
    const body = 'return String(usePageState((state) => state.shelf.books))';
    const { refusals } = await rig({ tiny: viewing(body) }, { reads: READS }).tryOut();
    expect(refusals[0]).toMatchObject({
      rule: 'SLOT_RENDER',
      found: expect.stringContaining("slot tiny reads shelf.books, which it doesn't declare in reads"),
    });
  });

  it.each([
    ['no book', 'return entries[0].title', ['empty']],
    [
      'any book',
      'if (entries.length > 0) throw new Error("boom"); return null',
      ['ordinary', 'odd', 'calls-fail'],
    ],
    ['a book without a year', 'return entries.map(({ year }) => year.toFixed(0)).join()', ['odd']],
    ['a signed-in reader', 'if (session.reader) throw new Error("boom"); return null', ['odd']],
  ])('refuses a release that fails on %s, and names the page', async (_, body, failing) => {
    const { renders, refusals, isAccepted } = await rig({ tiny: viewing(body) }, { reads: READS }).tryOut();
    expect(isAccepted).toBe(false);
    expect(renders.filter(({ isGood }) => !isGood).map(({ context }) => context)).toEqual(failing);
    expect(refusals).toHaveLength(failing.length);
    expect(refusals[0]).toMatchObject({
      rule: 'SLOT_RENDER',
      expected: expect.stringContaining(`'${failing[0]}'`) as unknown,
    });
  });

  it('refuses a release whose data needs an upstream, and provides recorded results', async () => {
    const load = (body: string) =>
      `defineSlot({ reads: [], load: ({ call }) => call('branch', {}).then((answer) => { ${body} }), view: ({ data }) => data })`;
    expect(
      (await rig({ tiny: load('return answer.isKnown ? answer.city : "nowhere"') }).tryOut()).isAccepted,
    ).toBe(true);
    const { renders } = await rig({ tiny: load('return answer.city.toUpperCase()') }).tryOut();
    expect(renders.map(({ context, isGood }) => [context, isGood])).toEqual([
      ['empty', false],
      ['ordinary', true],
      ['odd', true],
      ['calls-fail', false],
    ]);
  });

  it.each([
    ['is an ES module', 'BROWSER_ENTRY', () => 'export const init = () => {};'],
    ['sets no container', 'BROWSER_ENTRY', () => 'self.other = {};'],
    ['uses eval', 'BROWSER_ENTRY', (entry: string) => `eval('1'); ${entry}`],
    [
      'takes another share scope',
      'SHARE_SCOPE',
      (entry: string) => entry.replace('scope[name]', 'scope.other[name]'),
    ],
    [
      'throws when a module loads',
      'BROWSER_LOAD',
      (entry: string) => entry.replace('const modules', 'throw new Error("only here"); const modules'),
    ],
    ['exposes no slot', 'BROWSER_LOAD', (entry: string) => entry.replace('default: module', 'default: 1')],
    [
      'loads a script by a plain URL',
      'BROWSER_ENTRY',
      (entry: string) => `document.createElement('script').src = '/x.js'; ${entry}`,
    ],
    [
      'throws where there is a window',
      'BROWSER_RENDER',
      (entry: string) =>
        entry.replace(
          'view: () =>',
          'view: () => { if (typeof window !== "undefined") throw new Error("only here"); }, other: () =>',
        ),
    ],
    ['renders another text', 'BROWSER_RENDER', (entry: string) => entry.replace('"x"', '"y"')],
  ])('refuses a release whose browser side %s', async (_, rule, change) => {
    const { webFiles } = tinyRelease({ tiny: textSlot('x') });
    const entry = webFiles.get('web/remoteEntry.js')?.toString('utf8') ?? '';
    const changed = change(entry);
    expect(changed).not.toBe(entry);
    const { tryOut, loader } = rig({ tiny: textSlot('x') }, { web: changed });
    const { isAccepted, refusals } = await tryOut();
    expect(isAccepted).toBe(false);
    expect(refusals[0]?.rule).toBe(rule);
    await expect(loader.load('mfe-tiny', '1.0.0')).rejects.toThrow(rule);
  });

  it("takes a development build by its server side, because its browser side needs React's development code", async () => {
    const web = `throw new Error('only with the development code of React');`;
    const options = { web, manifest: { development: true as const } };
    const inDevelopment = rig({ tiny: textSlot('x') }, { ...options, takesDevelopmentBuilds: true });
    expect(await inDevelopment.tryOut()).toMatchObject({ isAccepted: true, refusals: [] });
    expect(rulesOf(await rig({ tiny: textSlot('x') }, options).tryOut())).toEqual(['DEVELOPMENT_BUILD']);
    expect((await rig({ tiny: textSlot('x') }, { web }).tryOut()).isAccepted).toBe(false);
  });

  it('refuses a release with a copy of React of its own', async () => {
    const { webFiles } = tinyRelease({ tiny: textSlot('x') });
    const entry = webFiles.get('web/remoteEntry.js')?.toString('utf8') ?? '';
    const copy = 'const r = {}; r.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = {};';
    const { tryOut } = rig({ tiny: textSlot('x') }, { web: `(() => {${copy}})(); ${entry}` });
    expect((await tryOut()).refusals).toMatchObject([
      { rule: 'SECOND_COPY', found: 'another in web/remoteEntry.js' },
    ]);
  });

  it('never runs code of a release with an incompatible manifest', async () => {
    const prepare = jest.fn(() => Promise.resolve());
    const { tryOut } = rig(
      { tiny: textSlot('x') },
      {
        manifest: { contracts: { '@forecourt/slots': '9.0.0' }, shared: { vue: '*' } },
        renderer: { prepare },
      },
    );
    expect(rulesOf(await tryOut())).toEqual(['SHARED_RANGE', 'CONTRACT_VERSION']);
    expect(prepare).not.toHaveBeenCalled();
  });

  it('refuses a release whose slot needs a part of the state that the layout does not let it read', async () => {
    const { tryOut } = rig(
      { loans: textSlot('x'), reader: textSlot('x') },
      { name: 'mfe-loans', reads: ['session', 'shelf.filters'] },
    );
    expect((await tryOut()).refusals).toContainEqual(
      expect.objectContaining({
        rule: 'READS_NOT_ALLOWED',
        expected: expect.stringContaining('loans reads only session') as unknown,
        found: 'shelf.filters',
      }),
    );
  });

  it('refuses a release without a placed slot, unless it may lack slots', async () => {
    const { loader, tryOut } = rig(
      { shelf: textSlot('x'), preview: textSlot('') },
      { name: 'mfe-shelf', reads: [] },
    );
    // floor-plan, book and series.
    expect(rulesOf(await tryOut())).toEqual(Array(3).fill('SLOT_MISSING'));
    await expect(loader.load('mfe-shelf', '1.0.0')).rejects.toThrow('floor-plan');
    expect((await loader.load('mfe-shelf', '1.0.0', { mayLackSlots: true })).id).toBe('mfe-shelf@1.0.0');
  });

  it.each<[string, string, Parameters<typeof rig>[1]]>([
    [
      'whose files are not those that were published',
      'FILES_UNUSABLE',
      { registry: { file: () => Promise.reject(new ReleaseError('INTEGRITY', 'not the file')) } },
    ],
    [
      'whose modules do not run',
      'MODULE_LOAD',
      { renderer: { prepare: () => Promise.reject(new Error('boom')) } },
    ],
    [
      'whose modules leave a timer running',
      'LEFT_RUNNING',
      { renderer: { prepare: () => Promise.reject(new RenderFailure('LEFT_RUNNING', 'Timeout')) } },
    ],
  ])('refuses a release %s', async (_, rule, options) => {
    expect(rulesOf(await rig({ tiny: textSlot('x') }, options).tryOut())).toEqual([rule]);
  });

  it.each([
    ['accepts a release whose style sheet has own classes', `.a${classTag('mfe-tiny')}{color:red}`, []],
    ['refuses one whose style sheet reaches other slots', 'body>*{position:fixed}', ['STYLE_NOT_OWN']],
    [
      'refuses one with classes of another remote',
      `.a${classTag('mfe-other')}{color:red}`,
      ['STYLE_NOT_OWN'],
    ],
  ])('%s, before its code runs', async (_, css, rules) => {
    const prepare = jest.fn<SlotRenderer['prepare']>();
    const { tryOut } = rig(
      { tiny: textSlot('x') },
      { css, ...(rules.length > 0 && { renderer: { prepare } }) },
    );
    const result = await tryOut();
    expect(rulesOf(result)).toEqual(rules);
    expect(result.isAccepted).toBe(rules.length === 0);
    expect(prepare).not.toHaveBeenCalled();
  });

  it('rejects when the registry is unreachable instead of refusing the release', async () => {
    const manifest = () => Promise.reject(new ReleaseError('REGISTRY_UNREACHABLE', 'away'));
    await expect(rig({ tiny: textSlot('x') }, { registry: { manifest } }).tryOut()).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
    });
  });

  it('leaves nothing of a trial behind and does not touch the live release', async () => {
    const { loader, renderer, tryOut } = rig({ tiny: textSlot('x') });
    const release = await loader.load('mfe-tiny', '1.0.0');
    await tryOut();
    const trial = `${release.id} (not live)`;
    const retired = [`${release.id} (in browsers)`, `${trial} (in browsers)`, trial];
    expect(renderer.retire).toHaveBeenCalledTimes(retired.length);
    for (const [at, id] of retired.entries()) expect(renderer.retire).toHaveBeenNthCalledWith(at + 1, id);
    const job = { slot: 'tiny', state: {}, deadlineMs: 1000, signal: new AbortController().signal };
    const call = () => Promise.reject(new Error('none'));
    expect((await renderer.render({ release, call, ...job })).html).toBe('<p>x</p>');
  });

  it('skips further pages after a slot hangs', async () => {
    const render = jest.fn<SlotRenderer['render']>(() =>
      Promise.reject(new RenderFailure('DEADLINE', 'cut')),
    );
    const { refusals } = await rig({ tiny: textSlot('x') }, { renderer: { render } }).tryOut();
    expect(render).toHaveBeenCalledTimes(1);
    expect(refusals).toHaveLength(1);
  });
});
