import { describe, expect, it } from '@jest/globals';
import { createEventBus } from '@forecourt/slots/events';
import { EVENT_SCHEMAS } from '../events/eventSchemas.ts';
import type { EventInput, EventType } from '@forecourt/slots/events';
import { buildState } from '../testing/builders.ts';
import { createStore, marketplaceState } from './marketplaceState.ts';
import type { RootState } from './state.ts';
import type { Wallet } from '@forecourt/upstream/entities';

/** A store that follows a bus, like the shell's. */
function following(state: RootState = buildState()) {
  const store = createStore(state);
  const bus = createEventBus(EVENT_SCHEMAS, ({ reason }) => {
    throw new Error(reason);
  });
  bus.all.subscribe((event) => {
    const change = marketplaceState.changeOf(event);
    if (change) store.dispatch(change);
  });
  const emit = <T extends EventType>(type: T, payload: EventInput<T>) => bus.emit(type, payload, 'test');
  return { store, emit, session: () => store.getState().session, search: () => store.getState().search };
}

const wallet: Wallet = {
  monthlyBudget: 600,
  downPayment: 3000,
  termMonths: 72,
  aprPercent: 6.99,
  tradeInValue: 0,
};

describe('state changes by facts on the bus', () => {
  it('keeps each saved listing once, newest first, and removes it again', () => {
    const { emit, session } = following();
    for (const listingId of ['1', '2', '1']) emit('listing.savedChanged', { listingId, saved: true });
    expect(session().savedListingIds).toEqual(['1', '2']);
    emit('listing.savedChanged', { listingId: '2', saved: false });
    expect(session().savedListingIds).toEqual(['1']);
  });

  it('marks a listing whose seller was contacted once', () => {
    const { emit, session } = following();
    emit('lead.sent', { listingId: '7' });
    emit('lead.sent', { listingId: '7' });
    expect(session().contactedListingIds).toEqual(['7']);
  });

  it('stores and removes the wallet and the payments setting', () => {
    const { emit, session } = following();
    emit('wallet.changed', { wallet });
    emit('payments.showRequested', { show: true });
    expect(session()).toMatchObject({ wallet, showsPayments: true });
    emit('wallet.changed', { wallet: null });
    emit('payments.showRequested', { show: false });
    expect(session()).toMatchObject({ wallet: null, showsPayments: false });
  });

  it('removes account data when the visitor signs out', () => {
    const { emit, session } = following();
    emit('session.changed', {
      signedIn: true,
      account: { firstName: 'Ada', email: 'ada@example.com' },
      savedListingIds: ['1'],
      savedSearchCount: 4,
    });
    expect(session()).toMatchObject({ signedIn: true, account: { firstName: 'Ada' }, savedSearchCount: 4 });
    emit('session.changed', { signedIn: false });
    expect(session()).toMatchObject({
      signedIn: false,
      account: null,
      savedListingIds: [],
      savedSearchCount: 0,
    });
  });

  it('stores the title of a saved search and its subscription', () => {
    const { emit, search } = following();
    emit('search.saved', { via: 'account', title: 'Ford F-150' });
    expect(search().pageData.saveSearchData).toEqual({
      saveSearchString: '',
      title: 'Ford F-150',
      subscribed: true,
    });
  });

  it('keeps the title and the text of a saved search', () => {
    const saveSearchData = {
      saveSearchString: 'Ford F-150 near Chicago',
      title: 'Trucks',
      subscribed: false,
    };
    const { emit, search } = following(buildState({ pageData: { suggestedModels: [], saveSearchData } }));
    emit('search.saved', { via: 'email' });
    expect(search().pageData.saveSearchData).toEqual({ ...saveSearchData, subscribed: true });
  });

  it.each([
    ['oem', 'account', 1],
    ['oem', 'email', 0],
    ['atc', 'account', 0],
    ['kbb', 'account', 0],
  ] as const)('counts a search saved on %s by %s as %i more of the visitor', (brand, via, more) => {
    const { emit, session } = following(buildState({}, { brand, savedSearchCount: 2 }));
    emit('search.saved', { via });
    expect(session().savedSearchCount).toBe(2 + more);
  });

  it('ignores intents and analytics facts', () => {
    const { emit, store } = following();
    const before = store.getState();
    emit('listing.saveRequested', { listingId: '1' });
    emit('page.tracked', { kind: 'click', name: 'save', listingId: '1' });
    emit('signIn.requested', { reason: 'saveListing', listingId: '1' });
    expect(store.getState()).toBe(before);
  });
});
