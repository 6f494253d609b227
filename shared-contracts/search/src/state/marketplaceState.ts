// Registers the marketplace's events and calls wherever its state is used.
import type {} from '@forecourt/upstream/calls';
import type {} from '../events/eventSchemas.ts';
import { defineState } from '@forecourt/slots/state';
import type { EventPayload } from '@forecourt/slots/events';
import { searchReducer, searchSaved } from './searchSlice.ts';
import { listingContacted, listingSaved, sessionChanged, sessionReducer } from './sessionSlice.ts';
import type { PageState, RootState, SessionState } from './state.ts';

export const resultsPage: PageState = { kind: 'results', url: '/cars-for-sale', referrer: null };

/** A page never changes its kind: navigation between pages loads a document. */
const pageReducer = (state: PageState = resultsPage): PageState => state;

/** State without account data. */
function sessionOf(payload: EventPayload<'session.changed'>): Partial<SessionState> {
  const { signedIn, account, savedListingIds, savedSearchCount } = payload;
  if (!signedIn)
    return { signedIn, account: null, savedListingIds: savedListingIds ?? [], savedSearchCount: 0 };
  return {
    signedIn,
    account,
    ...(savedListingIds && { savedListingIds }),
    ...(savedSearchCount !== undefined && { savedSearchCount }),
  };
}

const changes: Parameters<typeof defineState<RootState>>[0]['changes'] = {
  'search.saved': (payload) => searchSaved(payload),
  'listing.savedChanged': (payload) => listingSaved(payload),
  'lead.sent': ({ listingId }) => listingContacted(listingId),
  'session.changed': (payload) => sessionChanged(sessionOf(payload)),
  'wallet.changed': ({ wallet }) => sessionChanged({ wallet }),
  'lead.oneClickChanged': ({ isOn }) => sessionChanged({ emailsInOneClick: isOn }),
  'payments.showRequested': ({ show }) => sessionChanged({ showsPayments: show }),
};

/** The state of the marketplace's pages: how it is stored, sliced for slots and changed by events. */
export const marketplaceState = defineState<RootState>({
  reducers: { page: pageReducer, search: searchReducer, session: sessionReducer },
  divided: ['search'],
  changes,
});

/** The store of a page; on the server, one per request and slot. */
export const { createStore } = marketplaceState;
