import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
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
};

/** Who looks at the page, for which brand and with which flags. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: anonymousSession,
  reducers: {
    sessionChanged: (state, action: PayloadAction<Partial<SessionState>>) => ({
      ...state,
      ...action.payload,
    }),
    /** A listing became saved or is so no more; the newest stands first. */
    listingSaved: (state, { payload }: PayloadAction<{ listingId: string; saved: boolean }>) => {
      const others = state.savedListingIds.filter((id) => id !== payload.listingId);
      return { ...state, savedListingIds: payload.saved ? [payload.listingId, ...others] : others };
    },
    /** A seller was written to (A4-EMAIL-03). */
    listingContacted: (state, { payload }: PayloadAction<string>) =>
      state.contactedListingIds.includes(payload)
        ? state
        : { ...state, contactedListingIds: [...state.contactedListingIds, payload] },
  },
  extraReducers: (builder) =>
    // Only the automaker's program counts saves in the browser (A6-BRAND-04).
    builder.addCase(searchSaved, (state, { payload }) =>
      payload.via === 'account' && BRANDS[state.brand].hasCertifiedProgram
        ? { ...state, savedSearchCount: state.savedSearchCount + 1 }
        : state,
    ),
});

export const { sessionChanged, listingSaved, listingContacted } = sessionSlice.actions;

export const selectSession = (state: RootState): SessionState => state.session;
export const selectFlag =
  (name: string) =>
  ({ session }: RootState): boolean =>
    session.flags[name] ?? false;
/** UTC year of the request. */
export const selectCurrentYear = ({ session }: RootState): number => Number(session.today.slice(0, 4));
export const selectIsSaved =
  (listingId: string) =>
  ({ session }: RootState): boolean =>
    session.savedListingIds.includes(listingId);
export const selectIsContacted =
  (listingId: string) =>
  ({ session }: RootState): boolean =>
    session.contactedListingIds.includes(listingId);
