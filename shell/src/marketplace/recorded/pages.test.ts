import { describe, expect, it } from '@jest/globals';
import { anonymousSession, emptySearch } from '@forecourt/search/state';
import { createReleaseLoader, shellProvides } from '../../engine/releases/releaseLoader.ts';
import { registryOf } from '../../engine/releases/testing/registryOf.ts';
import { createInlineRenderer } from '../../engine/rendering/inline.ts';
import { tinyRelease } from '../../engine/rendering/testing/tinyRelease.ts';
import { SITE_PLAN } from '../site.ts';
import empty from './empty.json' with { type: 'json' };
import ordinary from './ordinary.json' with { type: 'json' };
import { recordedPages } from './pages.ts';
import { recordedPageSchema } from './schema.ts';

describe('recorded pages', () => {
  const pages = recordedPages();
  const page = (name: string) => {
    const found = pages.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no page ${name}`);
    return found;
  };

  it("contain every part of the store, valid by the API's schemas", () => {
    for (const { state } of pages) {
      expect(Object.keys(state.search)).toEqual(expect.arrayContaining(Object.keys(emptySearch)));
      expect(Object.keys(state.session)).toEqual(expect.arrayContaining(Object.keys(anonymousSession)));
    }
  });

  it('cover no vehicle, one page of vehicles, odd values and a failing upstream', () => {
    expect(page('empty').state.search.listings).toHaveLength(0);
    const { listings } = page('ordinary').state.search;
    expect(listings.length).toBeGreaterThanOrEqual(25);
    const odd = page('odd').state;
    expect(odd.search.listings).toHaveLength(listings.length);
    expect(odd.search.listings.some(({ title }) => title.length > 300)).toBe(true);
    expect(odd.search.listings.some(({ title }) => title.includes('</script>'))).toBe(true);
    expect(odd.search.listings.some(({ trim, mileage, phone }) => !trim && !mileage && !phone)).toBe(true);
    expect(odd.search.listings.some(({ ownerId }) => !Object.hasOwn(odd.search.owners, ownerId))).toBe(true);
    expect(odd.session).toMatchObject({ brand: 'kbb', signedIn: true });
    expect(Object.keys(page('ordinary').answers)).toContain('zipLookup');
    expect(page('calls-fail').answers).toEqual({});
  });

  it.each([
    ['a part of the store that is missing', { ...ordinary.state.search, filters: undefined }],
    ['a vehicle that is none', { ...ordinary.state.search, listings: [{ id: 'x' }] }],
    ['another status than that of a page', { ...ordinary.state.search, status: 'loading' }],
  ])('are refused for %s', (_, search) => {
    const changed = { ...ordinary, state: { ...ordinary.state, search } };
    expect(recordedPageSchema.safeParse(changed).success).toBe(false);
  });

  it('are refused for an invalid call result', () => {
    const changed = { ...empty, answers: { zipLookup: { city: 1 } } };
    expect(recordedPageSchema.safeParse(changed).success).toBe(false);
  });
});

const READS = ['search.listings', 'session'];
/** Runs the gate for a release with one slot, whose view is the body of a function of the state. */
async function tryOut(body: string) {
  const source = `defineSlot({ reads: ${JSON.stringify(READS)}, view: () => {
    const listings = usePageState((state) => state.search.listings);
    const session = usePageState((state) => state.session);
    ${body}
  } })`;
  const renderer = createInlineRenderer(SITE_PLAN);
  const loader = createReleaseLoader({
    registry: registryOf(tinyRelease({ tiny: source }, { reads: READS })),
    renderer,
    provides: shellProvides(SITE_PLAN),
    site: SITE_PLAN,
  });
  try {
    return await loader.tryOut('mfe-tiny', '1.0.0');
  } finally {
    await renderer.close();
  }
}

describe('pages of the gate', () => {
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
  ])('make the gate refuse a release that fails on %s, and name the page', async (_, body, failing) => {
    const { renders, refusals, isAccepted } = await tryOut(body);
    expect(isAccepted).toBe(false);
    expect(renders.filter(({ isGood }) => !isGood).map(({ context }) => context)).toEqual(failing);
    expect(refusals).toHaveLength(failing.length);
    expect(refusals[0]).toMatchObject({
      rule: 'SLOT_RENDER',
      expected: expect.stringContaining(`'${failing[0]}'`) as unknown,
    });
  });
});
