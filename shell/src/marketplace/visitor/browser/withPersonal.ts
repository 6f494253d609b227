import type { RootState } from '@forecourt/search/state';
import type { PersonalState } from '../universal/personalState.ts';

/** The state with the visitor's own, which shared pages leave out. */
export function withPersonal(state: RootState, personal: object): RootState {
  const { session, pageData } = personal as PersonalState;
  return {
    ...state,
    session: { ...state.session, ...session },
    search: pageData ? { ...state.search, pageData } : state.search,
  };
}
