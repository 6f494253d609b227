/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createStore, sessionChanged, marketplaceState } from '@forecourt/search/state';
import { savedListingsStorage } from '@forecourt/search/storage';
import { buildState } from '@forecourt/search/testing';
import { rememberVisitor } from './rememberVisitor.ts';

let stops: (() => void)[] = [];
afterEach(() => {
  stops.forEach((stop) => stop());
  stops = [];
  window.localStorage.clear();
  window.sessionStorage.clear();
});

function page(session: Parameters<typeof buildState>[1] = {}) {
  const store = createStore(buildState({}, session));
  stops.push(rememberVisitor(store));
  return { store, session: () => store.getState().session };
}
const otherTab = (key: string | null, newValue: string | null) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: window.localStorage }));

describe('rememberVisitor', () => {
  it('restores the state on the next page', () => {
    const first = page();
    first.store.dispatch(
      marketplaceState.changeOf({ type: 'listing.savedChanged', payload: { listingId: '7', saved: true } })!,
    );
    first.store.dispatch(sessionChanged({ showsPayments: true, contactedListingIds: ['8'] }));
    expect(page().session()).toMatchObject({
      savedListingIds: ['7'],
      showsPayments: true,
      contactedListingIds: ['8'],
      wallet: null,
    });
  });

  it('follows changes and clearing in another tab', () => {
    const { session } = page();
    otherTab('savedListings', '["3"]');
    otherTab('unrelated', '["4"]');
    expect(session().savedListingIds).toEqual(['3']);
    expect(window.localStorage.getItem('savedListings')).toBeNull();
    otherTab(null, null);
    expect(session().savedListingIds).toEqual([]);
  });

  it('updates after the back/forward cache, without an action if nothing changed', () => {
    const { store, session } = page();
    const before = store.getState();
    const show = () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    show();
    expect(store.getState()).toBe(before);
    savedListingsStorage.write(['5']);
    show();
    expect(session().savedListingIds).toEqual(['5']);
  });

  it('does not store the saved listings of an account', () => {
    savedListingsStorage.write(['7']);
    const { store, session } = page({ signedIn: true, savedListingIds: ['1'] });
    otherTab('savedListings', '["3"]');
    expect(session().savedListingIds).toEqual(['1']);
    store.dispatch(
      marketplaceState.changeOf({ type: 'listing.savedChanged', payload: { listingId: '2', saved: true } })!,
    );
    expect(savedListingsStorage.read()).toEqual(['7']);
  });

  it('does not keep an account’s saved listings after sign-out', () => {
    savedListingsStorage.write(['7']);
    const { store } = page({ signedIn: true, savedListingIds: ['1'] });
    store.dispatch(sessionChanged({ signedIn: false, savedListingIds: [] }));
    expect(savedListingsStorage.read()).toEqual(['7']);
  });
});
