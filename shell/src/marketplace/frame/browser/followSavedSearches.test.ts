/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createStore, marketplaceState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { createEventBus } from '@forecourt/slots/events';
import { siteBar } from '../frame.ts';
import { followSavedSearches } from './followSavedSearches.ts';

afterEach(() => document.body.replaceChildren());

/** The header's link after a search was saved. */
function savedAfter(session: Parameters<typeof buildState>[1]): string | null | undefined {
  const state = buildState({}, session);
  document.body.innerHTML = siteBar(state.session, '/');
  const store = createStore(state);
  followSavedSearches(store);
  const bus = createEventBus(EVENT_SCHEMAS, () => {});
  bus.all.subscribe((event) => {
    const change = marketplaceState.changeOf(event);
    if (change) store.dispatch(change);
  });
  bus.emit('search.saved', { via: 'account', title: 'Fords' }, 'leads');
  return document.querySelector('.fc-saved')?.textContent;
}

// rows: A6-BRAND-04
it('counts a saved search in the header of the manufacturer brand at once', () => {
  const session = { signedIn: true, brand: 'oem', savedSearchCount: 2 } as const;
  expect(siteBar(buildState({}, session).session, '/')).toContain('>Saved · 2</a>');
  expect(savedAfter(session)).toBe('Saved · 3');
});

// rows: A6-BRAND-04
it('counts no saved searches on other brands', () => {
  expect(savedAfter({ signedIn: true, brand: 'atc', savedSearchCount: 2 })).toBe('Saved');
});
