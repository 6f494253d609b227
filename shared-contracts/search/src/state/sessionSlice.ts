import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import { BRANDS } from '../brands/brands.ts';
import { searchSaved } from './searchSlice.ts';
import type { RootState, SessionState } from './state.ts';

export const anonymousSession: SessionState = {
  brand: 'atc',
  flags: {},
  signedIn: false,
  isBot: false,
  visitorZip: null,
  today: '2026-01-01',
  signInPath: '/account/sign-in',
  account: null,
  savedListingIds: [],
  savedSearchCount: 0,
  contactedListingIds: [],
  wallet: null,
  showsPayments: false,
  emailsInOneClick: false,
};

export const sessionChanged = createAction<Partial<SessionState>>('session/sessionChanged');
/** A listing was saved or removed; newest first. */
export const listingSaved = createAction<{ listingId: string; saved: boolean }>('session/listingSaved');
/** A seller was contacted. */
export const listingContacted = createAction<string>('session/listingContacted');

/**
 * Visitor, brand and flags. A plain function like the search's reducer, so that no page loads Immer.
 */
export function sessionReducer(state: SessionState = anonymousSession, action: UnknownAction): SessionState {
  if (sessionChanged.match(action)) return { ...state, ...action.payload };
  if (listingSaved.match(action)) {
    const { listingId, saved } = action.payload;
    const others = state.savedListingIds.filter((id) => id !== listingId);
    return { ...state, savedListingIds: saved ? [listingId, ...others] : others };
  }
  if (listingContacted.match(action) && !state.contactedListingIds.includes(action.payload))
    return { ...state, contactedListingIds: [...state.contactedListingIds, action.payload] };
  // Only the automaker's program counts saves in the browser.
  if (
    searchSaved.match(action) &&
    action.payload.via === 'account' &&
    BRANDS[state.brand].hasCertifiedProgram
  )
    return { ...state, savedSearchCount: state.savedSearchCount + 1 };
  return state;
}

export const selectSession = (state: RootState): SessionState => state.session;
export const selectFlag =
  (name: string) =>
  ({ session }: RootState): boolean =>
    session.flags[name] ?? false;
/** UTC year of the request. */
export const selectCurrentYear = ({ session }: RootState): number => Number(session.today.slice(0, 4));
