import { sliceState } from '@forecourt/slots/slices';
import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/upstream/testing';
import { buildState, testReference } from '../testing/builders.ts';
import { encodeUrl } from '../url/index.ts';
import { createStore, marketplaceState } from './marketplaceState.ts';
import type { SearchState } from './state.ts';
import {
  emptySearch,
  moreFailed,
  moreLoaded,
  moreStarted,
  searchFailed,
  searchLoaded,
  searchStarted,
  selectIsLoading,
} from './searchSlice.ts';

const listings = (...ids: string[]) => ids.map((id) => buildListing({ id }));
const spotlights = { premium: [], featured: [], standard: [], fourthTier: [] };
const { requestId: _requestId, status: _status, ...emptyPage } = emptySearch;
const started = {
  requestId: 'r2',
  criteria: { ...emptySearch.criteria, sortBy: 'yearDESC' as const },
  url: '/x',
};

describe('the initial state', () => {
  const { page, search, session } = createStore().getState();

  it('is a page of all cars without results, filters and suggestions', () => {
    expect(page).toEqual({ kind: 'results', url: '/cars-for-sale', referrer: null });
    expect(search).toMatchObject({
      url: encodeUrl(search.criteria, testReference),
      status: 'ready',
      listings: [],
      vehicleHighlight: null,
      filters: [],
      filterGroups: [],
      crawlPaths: [],
      suggestions: { filters: [], strongAttributes: [], nearMisses: [], models: [] },
      pageData: { suggestedModels: [] },
    });
  });

  it('is that of a visitor who is not signed in and sees no payments', () => {
    expect(session).toMatchObject({
      signedIn: false,
      account: null,
      signInPath: '/account/sign-in',
      showsPayments: false,
    });
  });
});

describe('the search slice', () => {
  it('updates the criteria at once and keeps the previous results until the response', () => {
    const store = createStore(buildState({ listings: listings('1') }));
    store.dispatch(searchStarted(started));
    const { search } = store.getState();
    expect(search).toMatchObject({ status: 'loading', url: '/x', criteria: { sortBy: 'yearDESC' } });
    expect(search.listings).toHaveLength(1);
  });

  // rows: B4-PANEL-03
  it('is loading from a change until its own response or failure', () => {
    for (const settled of [
      searchLoaded({ requestId: 'r2', page: emptyPage }),
      searchFailed({ requestId: 'r2', status: 'failed' }),
    ]) {
      const store = createStore(buildState());
      const isLoading = () => selectIsLoading(store.getState());
      expect(isLoading()).toBe(false);
      store.dispatch(searchStarted(started));
      expect(isLoading()).toBe(true);
      store.dispatch(searchLoaded({ requestId: 'r1', page: emptyPage }));
      expect(isLoading()).toBe(true);
      store.dispatch(settled);
      expect(isLoading()).toBe(false);
    }
  });

  // rows: B4-PANEL-04, A4-SAVE-15
  it('clears the spotlights before the new response, and keeps the chips', () => {
    const chips = [{ key: 'makeCode:FORD', label: 'Ford' }] as unknown as SearchState['chips'];
    const store = createStore(buildState({ chips, spotlights: [{ ...spotlights, premium: listings('9') }] }));
    store.dispatch(searchStarted(started));
    expect(store.getState().search).toMatchObject({ spotlights: [], chips });
  });

  // rows: B4-PANEL-05
  it('clears the crawl paths before the new response', () => {
    const crawlPaths = [{ label: 'Ford', href: '/cars-for-sale/all/ford' }];
    const store = createStore(buildState({ crawlPaths }));
    store.dispatch(searchStarted(started));
    expect(store.getState().search.crawlPaths).toEqual([]);
    store.dispatch(searchLoaded({ requestId: 'r2', page: { ...emptyPage, crawlPaths } }));
    expect(store.getState().search.crawlPaths).toEqual(crawlPaths);
  });

  it('drops responses and failures of an older request', () => {
    const store = createStore(buildState({ listings: listings('1') }));
    store.dispatch(searchStarted(started));
    const before = store.getState();
    store.dispatch(searchLoaded({ requestId: 'r1', page: emptyPage }));
    store.dispatch(searchFailed({ requestId: 'r1', status: 'failed' }));
    expect(store.getState()).toBe(before);
    store.dispatch(searchLoaded({ requestId: 'r2', page: emptyPage }));
    expect(store.getState().search).toMatchObject({ status: 'ready', listings: [] });
  });

  // rows: B4-PAGING-06, B4-PAGING-07
  it('appends the next page without listings that are already loaded', () => {
    const store = createStore(buildState({ listings: listings('1', '2'), totalResultCount: 60 }));
    store.dispatch(moreStarted({ requestId: 'm1' }));
    const page = {
      listings: listings('2', '3'),
      owners: { d2: buildOwner({ id: 'd2' }) },
      spotlights,
      firstRecord: 30,
      url: '/x?firstRecord=30',
    };
    store.dispatch(moreLoaded({ requestId: 'other', page }));
    expect(store.getState().search.listings).toHaveLength(2);
    store.dispatch(moreLoaded({ requestId: 'm1', page }));
    const { search } = store.getState();
    expect(search.listings.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(search).toMatchObject({ status: 'ready', pageSizes: [2, 1], url: '/x?firstRecord=30' });
    expect(Object.keys(search.owners)).toEqual(['d1', 'd2']);
  });

  it('keeps the loaded pages when the next one fails', () => {
    const store = createStore(buildState({ listings: listings('1') }));
    store.dispatch(moreStarted({ requestId: 'm1' }));
    store.dispatch(moreFailed({ requestId: 'm1' }));
    expect(store.getState().search).toMatchObject({ status: 'ready', listings: [{ id: '1' }] });
  });
});

describe('sliceState', () => {
  const state = buildState();

  it('returns only the parts that the slot needs', () => {
    expect(sliceState(marketplaceState, state, ['search.listings'])).toEqual({
      search: { listings: state.search.listings },
    });
    expect(sliceState(marketplaceState, state, ['session'])).toEqual({ search: {}, session: state.session });
  });

  it('ignores names that are no part of the state', () => {
    expect(
      sliceState(marketplaceState, state, ['search.__proto__', 'search.toString', 'search', 'secrets']),
    ).toEqual({
      search: {},
    });
  });
});
