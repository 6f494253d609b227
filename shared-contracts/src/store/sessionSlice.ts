import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { RootState, SessionState } from './state.ts';

export const anonymousSession: SessionState = {
  brand: 'atc',
  flags: {},
  signedIn: false,
  isBot: false,
  visitorZip: null,
  today: '2026-01-01',
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
  },
});

export const { sessionChanged } = sessionSlice.actions;

export const selectSession = (state: RootState): SessionState => state.session;
export const selectFlag =
  (name: string) =>
  ({ session }: RootState): boolean =>
    session.flags[name] ?? false;
/** UTC year of the request. */
export const selectCurrentYear = ({ session }: RootState): number => Number(session.today.slice(0, 4));
