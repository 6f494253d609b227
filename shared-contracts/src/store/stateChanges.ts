import type { UnknownAction } from '@reduxjs/toolkit';
import type { EventPayload, EventType } from '../events/eventSchemas.ts';
import { searchSaved } from './searchSlice.ts';
import { listingContacted, listingSaved, sessionChanged } from './sessionSlice.ts';
import type { SessionState } from './state.ts';

type Changes = { readonly [T in EventType]?: (payload: EventPayload<T>) => UnknownAction };

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

const CHANGES: Changes = {
  'search.saved': (payload) => searchSaved(payload),
  'listing.savedChanged': (payload) => listingSaved(payload),
  'lead.sent': ({ listingId }) => listingContacted(listingId),
  'session.changed': (payload) => sessionChanged(sessionOf(payload)),
  'wallet.changed': ({ wallet }) => sessionChanged({ wallet }),
  'payments.showRequested': ({ show }) => sessionChanged({ showsPayments: show }),
};

/**
 * The action for an event on the bus; undefined for most events. Shell and test shell both dispatch it, so
 * that all slots see the same state.
 */
export function stateChangeOf<T extends EventType>(event: {
  readonly type: T;
  readonly payload: EventPayload<T>;
}): UnknownAction | undefined {
  return CHANGES[event.type]?.(event.payload);
}
