/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createStore, marketplaceState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { createEventBus } from '@forecourt/slots/events';
import { siteBar } from '../frame.ts';
import { followSaved } from './followSaved.ts';

afterEach(() => document.body.replaceChildren());

const shown = () => document.querySelector('.fc-saved')?.textContent?.trim();

/** The header's link before and after a vehicle and a search were saved. */
function savedBeforeAndAfter(session: Parameters<typeof buildState>[1]) {
  const state = buildState({}, session);
  document.body.innerHTML = siteBar(state.session, '/');
  const before = shown();
  const store = createStore(state);
  followSaved(store);
  const bus = createEventBus(EVENT_SCHEMAS, () => {});
  bus.all.subscribe((event) => {
    const change = marketplaceState.changeOf(event);
    if (change) store.dispatch(change);
  });
  bus.emit('search.saved', { via: 'account', title: 'Fords' }, 'leads');
  bus.emit('listing.savedChanged', { listingId: '7', saved: true }, 'leads');
  return [before, shown()];
}

// rows: A6-BRAND-04
it('counts saved searches in the header of the manufacturer brand at once', () => {
  expect(savedBeforeAndAfter({ signedIn: true, brand: 'oem', savedSearchCount: 2 })).toEqual([
    'Saved 2',
    'Saved 3',
  ]);
});

it.each([true, false])('counts saved vehicles elsewhere, with an account: %s', (signedIn) => {
  const session = { signedIn, brand: 'atc', savedSearchCount: 2 } as const;
  expect(savedBeforeAndAfter(session)).toEqual(['Saved', 'Saved 1']);
  const savedListingIds = Array.from({ length: 120 }, (_, at) => String(at));
  expect(savedBeforeAndAfter({ ...session, savedListingIds })[0]).toBe('Saved 99+');
});
