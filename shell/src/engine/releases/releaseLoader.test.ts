import { SITE_PLAN } from '../../marketplace/site.ts';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { createInlineRenderer } from '../rendering/inline.ts';
import { RenderFailure, type SlotRenderer } from '../rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { shellProvides, createReleaseLoader } from './releaseLoader.ts';
import { recordedPages } from '../../marketplace/recorded/pages.ts';
import { integrityOf } from '../rendering/release.ts';
import { ReleaseError, type RegistryClient } from './registryClient.ts';

const PAGES = recordedPages();
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
  } = {},
) {
  const { name = 'mfe-tiny' } = options;
  const { manifest, nodeSources } = tinyRelease(slots, {
    name,
    ...(options.reads && { reads: options.reads }),
  });
  const source = Buffer.from(nodeSources.get('remoteEntry.cjs') ?? '');
  const files = { 'web/remoteEntry.js': Buffer.from('x'), 'node/remoteEntry.cjs': source };
  const registry = {
    manifest: () =>
      Promise.resolve({
        ...manifest,
        files: Object.fromEntries(
          Object.entries(files).map(([path, bytes]) => [
            path,
            { integrity: integrityOf(bytes), bytes: bytes.length },
          ]),
        ),
        ...options.manifest,
      }),
    file: (_: ReleaseManifest, path: string) => Promise.resolve(files[path as keyof typeof files]),
    ...options.registry,
  };
  const inline = createInlineRenderer(SITE_PLAN);
  renderers.push(inline);
  const renderer = { ...inline, retire: jest.fn(inline.retire), ...options.renderer };
  const loader = createReleaseLoader({
    registry,
    renderer,
    provides: shellProvides(SITE_PLAN),
    site: { ...SITE_PLAN, recordedPages: () => PAGES },
  });
  return { loader, renderer, tryOut: () => loader.tryOut(name, '1.0.0') };
}
const rulesOf = ({ refusals }: { refusals: readonly { rule: string }[] }) => refusals.map(({ rule }) => rule);

const READS = ['search.listings', 'session'];
/** A slot whose view is the body of a function of the state. */
const viewing = (body: string) =>
  `defineSlot({ reads: ${JSON.stringify(READS)}, view: () => {
    const listings = usePageState((state) => state.search.listings);
    const session = usePageState((state) => state.session);
    ${body}
  } })`;

describe('release loader', () => {
  it('accepts a release whose slots render every recorded page', async () => {
    const { loader, tryOut } = rig(
      { one: textSlot('x'), two: viewing('return session.today') },
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
    const body = 'return String(usePageState((state) => state.search.totalResultCount))';
    const { refusals } = await rig({ tiny: viewing(body) }, { reads: READS }).tryOut();
    expect(refusals[0]).toMatchObject({
      rule: 'SLOT_RENDER',
      found: expect.stringContaining(
        "slot tiny reads search.totalResultCount, which it doesn't declare in reads",
      ),
    });
  });

  it.each([
    ['no listing', 'return listings[0].title', ['empty']],
    [
      'any listing',
      'if (listings.length > 0) throw new Error("boom"); return null',
      ['ordinary', 'odd', 'calls-fail'],
    ],
    [
      'a listing without a price',
      'return listings.map(({ pricingDetail }) => pricingDetail.derivedPrice.toFixed(0)).join()',
      ['odd'],
    ],
    ['a signed-in visitor', 'if (session.account) throw new Error("boom"); return null', ['odd']],
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
      `defineSlot({ reads: [], load: ({ call }) => call('zipLookup', {}).then((answer) => { ${body} }), view: ({ data }) => data })`;
    expect(
      (await rig({ tiny: load('return answer.success ? answer.city : "nowhere"') }).tryOut()).isAccepted,
    ).toBe(true);
    const { renders } = await rig({ tiny: load('return answer.city.toUpperCase()') }).tryOut();
    expect(renders.map(({ context, isGood }) => [context, isGood])).toEqual([
      ['empty', false],
      ['ordinary', true],
      ['odd', true],
      ['calls-fail', false],
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
      { 'lead-widget': textSlot('x'), saved: textSlot('x') },
      { name: 'mfe-leads', reads: ['search.listings', 'search.filters'] },
    );
    expect((await tryOut()).refusals).toContainEqual(
      expect.objectContaining({
        rule: 'READS_NOT_ALLOWED',
        expected: expect.stringContaining('lead-widget reads only search.requestId') as unknown,
        found: 'search.filters',
      }),
    );
  });

  it('refuses a release without a placed slot, unless it may lack slots', async () => {
    const { loader, tryOut } = rig(
      { results: textSlot('x'), spin: textSlot('') },
      { name: 'mfe-results', reads: [] },
    );
    // footer-ad, map, vehicle and compare.
    expect(rulesOf(await tryOut())).toEqual(Array(4).fill('SLOT_MISSING'));
    await expect(loader.load('mfe-results', '1.0.0')).rejects.toThrow('footer-ad');
    expect((await loader.load('mfe-results', '1.0.0', { mayLackSlots: true })).id).toBe('mfe-results@1.0.0');
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
    expect(renderer.retire).toHaveBeenCalledTimes(1);
    expect(renderer.retire).not.toHaveBeenCalledWith(release.id);
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
