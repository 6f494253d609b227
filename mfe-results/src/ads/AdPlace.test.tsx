/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { BRANDS, FLAGS } from '@forecourt/search/brands';
import { buildState, mountInTestShell } from '@forecourt/search/testing';
import type { CallParams } from '@forecourt/upstream/calls';
import footerAd from '../slots/footer-ad.tsx';
import { mockCreatives, listings, mountResults } from '../testing/mountResults.ts';
import { FakeIntersections, prepareViewport, scrollTo } from '../testing/viewport.ts';

beforeEach(() => {
  prepareViewport();
  mockCreatives();
});

afterEach(() => void jest.restoreAllMocks());

const loadedAd = { html: '', src: '/ads/creative?n=0', width: 970, height: 90, advertiser: 'Lakeside Ford' };

const page = {
  listings: listings(1, 30),
  pageSizes: [30],
  totalResultCount: 90,
  pageData: { suggestedModels: [], ad: { make: 'FORD', model: 'F150', zip: '60601' } },
};

const flags = { ...FLAGS, wallet: false };

const places = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('[data-ad]')].map(({ dataset }) => dataset['ad']);

describe('ads in the grid', () => {
  // rows: B2-GRID-03, B1-OFFER-04
  it('places ads in rows between the results, with reserved space', () => {
    const { container } = mountResults(page, { flags });
    // Each for the grid of three and for that of four, which hides the other.
    expect(places(container)).toEqual(['grid-row-1', 'grid-row-1', 'grid-row-2', 'grid-row-2']);
    const tiles = [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')];
    expect(tiles[9]?.dataset['tile']).toBe('adRow');
    expect(tiles[8]?.dataset['tile']).toBe('listing');
    expect(tiles[10]?.dataset['tile']).toBe('listing');
    expect(tiles[9]?.querySelector('[data-ad]')?.getAttribute('style')).toContain('--ad-large: 146px');
  });

  // rows: B9-GRID-04
  it.each([
    ['8 for most', undefined, 8],
    ['another for a brand that says so', 5, 5],
  ])('places the peekaboo tile %s', (_, peekabooPosition, place) => {
    jest.replaceProperty(BRANDS, 'atc', { ...BRANDS.atc, ...(peekabooPosition && { peekabooPosition }) });
    const { container } = mountResults(page, { flags: { ...flags, peekaboo: true, fluidAds: true } });
    const tiles = [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')];
    expect(tiles.findIndex(({ dataset }) => dataset['tile'] === 'peekaboo')).toBe(place);
  });

  // rows: B7-ADS-01, A1-ADS-01
  it('requests an ad with slot, size and targeting of the search when its place comes near', async () => {
    const ad = jest.fn((_: CallParams) => loadedAd);
    const { container } = mountResults(page, { flags }, { ad });
    const place = container.querySelector('[data-ad=grid-row-1]');
    expect(ad).not.toHaveBeenCalled();
    if (place) await scrollTo(place);
    expect(await screen.findByTitle('Advertisement of Lakeside Ford')).toBeVisible();
    expect(ad.mock.calls).toHaveLength(1);
    expect(ad.mock.calls[0]?.[0]).toEqual({
      slot: 'grid-row-1',
      size: '728x90',
      n: '0',
      't.make': 'FORD',
      't.model': 'F150',
      't.zip': '60601',
      't.page': 'results',
    });
  });

  it.each([
    ['has no ad', () => ({ empty: true as const })],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('keeps the reserved space without a label when the service %s', async (_, ad) => {
    const { container } = mountResults(page, { flags }, { ad });
    const place = container.querySelector('[data-ad=grid-row-1]');
    if (place) await scrollTo(place);
    await act(() => Promise.resolve());
    expect(place?.getAttribute('style')).toContain('--ad-large');
    expect(place).toHaveTextContent('');
    expect(screen.queryByText('Advertisement')).toBeNull();
  });

  it('requests ads again when the screen class changes', async () => {
    const ad = jest.fn(({ size }: CallParams) => ({ ...loadedAd, src: `/ads/creative?size=${size}` }));
    const { container } = mountResults(page, { flags }, { ad });
    const place = container.querySelector('[data-ad=grid-row-1]');
    if (place) await scrollTo(place);
    await screen.findByTitle('Advertisement of Lakeside Ford');
    const { innerWidth } = window;
    await act(async () => {
      Object.assign(window, { innerWidth: 390 });
      fireEvent(window, new Event('resize'));
    });
    Object.assign(window, { innerWidth });
    expect(ad.mock.calls.map(([{ size }]) => size)).toEqual(['728x90', '320x50']);
    expect(place?.querySelector('iframe')).toHaveAttribute('src', '/ads/creative?size=320x50');
  });

  // rows: B7-ADS-02
  it('reports one impression when an ad has loaded and half of it is in view', async () => {
    const { container, payloads } = mountResults(page, { flags }, { ad: () => loadedAd });
    const place = container.querySelector('[data-ad=grid-row-1]');
    if (place) await scrollTo(place);
    const frame = await screen.findByTitle('Advertisement of Lakeside Ford');
    const observedElements = () => FakeIntersections.all.find(({ elements }) => elements.has(frame));
    const impressionsReported = () => act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(observedElements()).toBeUndefined();
    fireEvent.load(frame);
    expect(observedElements()?.options).toEqual({ threshold: 0.5 });
    await impressionsReported();
    expect(payloads('page.tracked')).toEqual([]);
    await scrollTo(frame);
    await impressionsReported();
    fireEvent.load(frame);
    await scrollTo(frame);
    await impressionsReported();
    expect(payloads('page.tracked')).toEqual([{ kind: 'impression', name: 'ad', tile: 'grid-row-1' }]);
  });

  it("runs ads in a sandbox without scripts and without the page's origin", async () => {
    const { container } = mountResults(page, { flags }, { ad: () => loadedAd });
    const place = container.querySelector('[data-ad=grid-row-1]');
    if (place) await scrollTo(place);
    const frame = await screen.findByTitle('Advertisement of Lakeside Ford');
    expect(frame).toHaveAttribute('src', loadedAd.src);
    expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
  });

  // rows: B7-ADS-03
  it.each([
    ['has none', () => ({ empty: true })],
    [
      'fails',
      () => {
        throw new Error('down');
      },
    ],
  ])('keeps the space of an ad when the ad service %s', async (_, ad) => {
    const { container, payloads } = mountResults(page, { flags }, { ad });
    const place = container.querySelector('[data-ad=grid-row-1]');
    if (place) await scrollTo(place);
    expect(container.querySelector('iframe')).toBeNull();
    expect(screen.getAllByRole('article')).toHaveLength(30);
    expect(payloads('slot.failed')).toEqual([]);
  });

  // rows: B7-ADS-03
  it.each([404, 502, 'nothing'] as const)(
    'keeps the ad space empty and logs the failure when the creative responds with %s',
    async (response) => {
      const requestedCreatives = mockCreatives(() => response);
      const { container, payloads } = mountResults(page, { flags }, { ad: () => loadedAd });
      const place = container.querySelector('[data-ad=grid-row-1]');
      if (place) await scrollTo(place);
      const problem = expect.objectContaining({ code: 'AD_NOT_LOADED' });
      await waitFor(() => expect(payloads('problem.reported')).toContainEqual(problem));
      expect(requestedCreatives).toEqual(['HEAD /ads/creative?n=0']);
      expect(place?.querySelector('iframe')).toBeNull();
      expect(place?.getAttribute('style')).toContain('--ad-large: 146px');
      expect(payloads('page.tracked')).toEqual([]);
    },
  );

  it('shows fluid ads in one tile each', () => {
    const { container } = mountResults(page, { flags: { ...flags, fluidAds: true } });
    expect(places(container)).toEqual(['grid-tile-1', 'grid-tile-2', 'grid-tile-3']);
  });

  it.each([
    ['their flag is off', { flags: { ...flags, ads: false } }],
    ['a crawler reads the page', { flags, isBot: true }],
  ])('renders no ads when %s', (_, session) => {
    expect(places(mountResults(page, session).container)).toEqual([]);
  });
});

describe('footer leaderboard', () => {
  const height = (brand: 'atc' | 'oem') => {
    const state = buildState({}, { brand, flags });
    const { container, unmount } = mountInTestShell(footerAd, { state });
    const style = container.querySelector('[data-ad=footer]')?.getAttribute('style');
    unmount();
    return style;
  };

  // rows: B2-BOTTOM-09
  it("shows a tall footer leaderboard, and an expanded one on the manufacturer's page", () => {
    expect(height('atc')).toContain('--ad-large: 246px');
    expect(height('oem')).toContain('--ad-large: 523px');
  });

  it('labels the footer leaderboard as an advertisement once it has one', async () => {
    const state = buildState({}, { flags });
    const { container } = mountInTestShell(footerAd, { state, calls: { ad: () => loadedAd } });
    const place = container.querySelector('[data-ad]');
    if (place) await scrollTo(place);
    expect(await within(container).findByText('Advertisement')).toBeVisible();
  });
});
