/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { moreLoaded, moreStarted, searchLoaded, type SearchState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { CALLS, type CallParams } from '@forecourt/upstream/calls';
import { listings, mountResults, noSpotlights } from '../testing/mountResults.ts';
import { FakeIntersections, prepareViewport, scrollIntoViewNow, scrollTo } from '../testing/viewport.ts';

beforeEach(prepareViewport);

describe('bottom blocks', () => {
  const criteria = { ...buildState().search.criteria, filters: { searchRadius: ['50'], zip: ['60601'] } };
  const similarListings = listings(101, 2);
  const few = { listings: listings(1, 3), totalResultCount: 3, criteria };
  const mountFew = async (search: Partial<SearchState> = {}) => {
    const similar = jest.fn((_: CallParams) => ({
      listings: [...listings(1, 1), ...similarListings],
      owners: [],
    }));
    const supplemental = jest.fn((_: CallParams) => ({
      listings: [...similarListings, ...listings(201, 1)],
      owners: [],
    }));
    const shell = mountResults({ ...few, ...search }, {}, { similar, supplemental });
    await shell.waitForLateParts();
    const blocks = () => [...shell.container.querySelectorAll('[data-block]')];
    return { ...shell, similar, supplemental, blocks };
  };
  const titles = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent);

  // rows: B2-BOTTOM-03, A9-LIMIT-13, A7-SIM-01
  it('loads similar and supplemental vehicles when near, without those already shown', async () => {
    const { blocks, similar, supplemental } = await mountFew();
    expect(similar).not.toHaveBeenCalled();
    const marginOf = (block: Element) =>
      FakeIntersections.all.find(({ elements }) => elements.has(block))?.options.rootMargin;
    expect(blocks().map(marginOf)).toEqual(['300px', '300px']);
    for (const block of blocks()) await scrollTo(block);
    await screen.findByRole('link', { name: 'Vehicle 101' });
    await screen.findByRole('link', { name: 'Vehicle 201' });
    expect(titles('Similar vehicles')).toEqual(['Vehicle 101', 'Vehicle 102']);
    expect(titles('More vehicles for you')).toEqual(['Vehicle 201']);
    expect(CALLS.similar).toMatchObject({ method: 'GET', path: '/rest/lsc/listing/similar' });
    expect(similar.mock.calls[0]?.[0]).toMatchObject({
      zip: '60601',
      searchRadius: '50',
      excludedListingId: '1,2,3',
    });
    expect(supplemental.mock.calls[0]?.[0]).toMatchObject({ supplemental: 'true', numRecords: '100' });
    expect(screen.getByRole('link', { name: 'Vehicle 101' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/101?clickType=similar',
    );
  });

  // rows: B2-BOTTOM-04, B9-BOTTOM-02
  it('shows vehicles of other markets below fewer than 25 results', async () => {
    const pageData = { suggestedModels: [], marketExtensionDma: '602' };
    const response = {
      listings: [
        buildListing({ id: '301', title: 'Here', ownerId: 'near' }),
        buildListing({ id: '302', title: 'There', ownerId: 'far' }),
      ],
      owners: [buildOwner({ id: 'near', dma: '602' }), buildOwner({ id: 'far', dma: '617' })],
    };
    const supplemental = jest.fn((params: CallParams) =>
      params['marketExtension'] ? response : { listings: [], owners: [] },
    );
    const mountWith = async (totalResultCount: number, numRecords = 30) => {
      const search = { ...few, totalResultCount, pageData, criteria: { ...criteria, numRecords } };
      const shell = mountResults(search, {}, { supplemental });
      await shell.waitForLateParts();
      return shell;
    };
    const nearby = (container: HTMLElement) => container.querySelector('[data-block=nearby]');
    const with25 = await mountWith(25);
    expect(nearby(with25.container)).toBeNull();
    with25.unmount();
    const notLast = await mountWith(24, 10);
    expect(nearby(notLast.container)).toBeNull();
    notLast.unmount();
    const block = nearby((await mountWith(24)).container);
    if (block) await scrollTo(block);
    await screen.findByRole('link', { name: 'There' });
    expect(titles('From markets near you')).toEqual(['There']);
    expect(supplemental.mock.calls[0]?.[0]).toMatchObject({
      marketExtension: 'include',
      searchRadius: '100',
    });
  });

  it('shows the nearest of other markets, and labels distant ones as other markets', async () => {
    const pageData = { suggestedModels: [], marketExtensionDma: '602' };
    const miles = [800, 101, ...Array.from({ length: 13 }, (_, at) => 60 + at)];
    const distantResponse = {
      listings: miles.map((distance) =>
        buildListing({ id: `m${distance}`, title: `At ${distance}`, ownerId: `o${distance}` }),
      ),
      owners: miles.map((distance) =>
        buildOwner({ id: `o${distance}`, dma: '617', distanceFromSearch: distance }),
      ),
    };
    const showBlock = async (response: typeof distantResponse) => {
      const supplemental = (params: CallParams) =>
        params['marketExtension'] ? response : { listings: [], owners: [] };
      const { container, waitForLateParts, unmount } = mountResults(
        { ...few, totalResultCount: 20, pageData },
        {},
        { supplemental },
      );
      await waitForLateParts();
      const block = container.querySelector('[data-block=nearby]');
      if (block) await scrollTo(block);
      await screen.findAllByRole('link', { name: /^At/ });
      return unmount;
    };
    const unmount = await showBlock(distantResponse);
    expect(titles('From markets near you')).toEqual(Array.from({ length: 12 }, (_, at) => `At ${60 + at}`));
    unmount();
    await showBlock({ listings: distantResponse.listings.slice(0, 2), owners: distantResponse.owners });
    expect(titles('From other markets')).toEqual(['At 101', 'At 800']);
  });

  // rows: A7-SUPP-01
  it('requests supplemental listings with the current search', async () => {
    const { blocks, supplemental } = await mountFew();
    const [, block] = blocks();
    if (block) await scrollTo(block);
    expect(CALLS.supplemental).toMatchObject({ method: 'GET', path: '/rest/lsc/listing' });
    expect(supplemental.mock.calls[0]?.[0]).toMatchObject({ zip: '60601', searchRadius: '50' });
  });

  // rows: A7-SUPP-04
  it('shows supplemental listings with the sellers of their own response', async () => {
    const response = {
      listings: [buildListing({ id: '201', title: 'Vehicle 201', ownerId: 'far' })],
      owners: [
        buildOwner({ id: 'near', distanceFromSearch: 7 }),
        buildOwner({ id: 'far', distanceFromSearch: 77 }),
      ],
      totalResultCount: 1,
    };
    const { container, waitForLateParts } = mountResults(few, {}, { supplemental: () => response });
    await waitForLateParts();
    const block = container.querySelector('[data-block=supplemental]');
    if (block) await scrollTo(block);
    expect(await screen.findByRole('article', { name: 'Vehicle 201' })).toHaveTextContent('77 mi away');
  });

  // rows: B9-SCROLL-03, B9-SCROLL-04
  it('shows 21 and 6 placeholders until the blocks have loaded, even before they are near', async () => {
    const { blocks } = await mountFew();
    const placeholders = () => blocks().map((block) => block.querySelectorAll('[data-placeholder]').length);
    expect(placeholders()).toEqual([21, 6]);
    const [similar, supplemental] = blocks();
    if (similar) scrollIntoViewNow(similar);
    expect(placeholders()).toEqual([21, 6]);
    await screen.findByRole('link', { name: 'Vehicle 101' });
    expect(placeholders()).toEqual([0, 6]);
    if (supplemental) scrollIntoViewNow(supplemental);
    await screen.findByRole('link', { name: 'Vehicle 201' });
    expect(placeholders()).toEqual([0, 0]);
  });

  // rows: B7-SIM-02
  it('renders no block when a call fails', async () => {
    const shell = mountResults(few);
    await shell.waitForLateParts();
    const { container } = shell;
    const block = container.querySelector('[data-block=similar]');
    if (block) await scrollTo(block);
    expect(screen.queryByText('Similar vehicles')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(block?.querySelectorAll('[data-placeholder]')).toHaveLength(0);
  });

  // rows: B4-PAGING-09
  it('offers similar vehicles only for a search with a radius', async () => {
    const { blocks } = await mountFew({ criteria: { ...criteria, filters: { zip: ['60601'] } } });
    expect(blocks().map((block) => block.getAttribute('data-block'))).toEqual(['supplemental']);
  });

  // rows: B2-BOTTOM-03
  it('shows supplemental vehicles only after the last page', async () => {
    const names = async (numRecords: number) => {
      const search = { totalResultCount: 24, criteria: { ...criteria, numRecords } };
      const { blocks, unmount } = await mountFew(search);
      const shown = blocks().map((block) => block.getAttribute('data-block'));
      unmount();
      return shown;
    };
    expect(await names(24)).toContain('supplemental');
    expect(await names(23)).not.toContain('supplemental');
  });

  // rows: B4-PAGING-10, B9-BOTTOM-01
  it('offers similar and supplemental vehicles with 25 results and neither with 26', async () => {
    const { unmount, blocks } = await mountFew({ totalResultCount: 25 });
    expect(blocks()).toHaveLength(2);
    unmount();
    expect((await mountFew({ totalResultCount: 26 })).blocks()).toHaveLength(0);
  });

  // rows: B9-SCROLL-02
  it.each([
    [5, 2],
    [6, 1],
  ])(
    'with 20 results and %i similar ones makes %i similar requests after a further page',
    async (loaded, requests) => {
      const similar = jest.fn((_: CallParams) => ({ listings: listings(101, loaded), owners: [] }));
      const tenMatches = { listings: listings(1, 10), pageSizes: [10], totalResultCount: 20 };
      const { store, container, waitForLateParts } = mountResults(
        { ...few, ...tenMatches, criteria: { ...criteria, numRecords: 10 } },
        {},
        { similar },
      );
      await waitForLateParts();
      const reach = async () => {
        const block = container.querySelector('[data-block=similar]');
        if (block) await scrollTo(block);
      };
      await reach();
      act(() => void store.dispatch(moreStarted({ requestId: 'more' })));
      expect(titles('Similar vehicles')).toHaveLength(loaded);
      const page = {
        listings: listings(11, 10),
        owners: {},
        spotlights: noSpotlights,
        firstRecord: 10,
        url: '/',
      };
      await act(async () => store.dispatch(moreLoaded({ requestId: 'more', page })));
      await reach();
      expect(similar).toHaveBeenCalledTimes(requests);
      expect(titles('Similar vehicles')).toHaveLength(loaded);
    },
  );

  // rows: B4-PAGING-11
  it('loads no block until the search has settled', async () => {
    const { blocks, store } = await mountFew({ status: 'loading' });
    expect(blocks()).toHaveLength(0);
    const { requestId, status: _, ...page } = store.getState().search;
    act(() => void store.dispatch(searchLoaded({ requestId, page })));
    expect(blocks()).toHaveLength(2);
  });
});
