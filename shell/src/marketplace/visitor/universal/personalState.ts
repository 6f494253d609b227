import { type RootState, type SessionState, anonymousSession } from '@forecourt/search/state';

/** What the visitor's own state has beyond the state that slots were rendered with. */
export interface PersonalState {
  readonly session: Partial<SessionState>;
  readonly pageData?: RootState['search']['pageData'];
}

/** Parts of the session that say who the visitor is or what they have saved. */
const PERSONAL = [
  'account',
  'savedListingIds',
  'savedSearchCount',
  'contactedListingIds',
  'wallet',
  'showsPayments',
  'emailsInOneClick',
] as const satisfies readonly (keyof SessionState)[];

/**
 * The state as slots get it that serve several visitors from one process: a release could keep what it reads and show it
 * to the next visitor. Whether the visitor is signed in, their ZIP code and the page's URL stay; the id that the visitor is
 * counted by goes.
 */
export function withoutPersonal(state: RootState): RootState {
  const { session, search } = state;
  const blank = Object.fromEntries(PERSONAL.map((name) => [name, anonymousSession[name]]));
  const { saveSearchData, ...pageData } = search.pageData;
  const { pixallId, ...requestParams } = search.requestParams;
  return {
    ...state,
    session: { ...session, ...blank },
    search: {
      ...search,
      ...(pixallId !== undefined && { requestParams }),
      // Without the visitor's bookmark of this search.
      ...(saveSearchData?.subscribed && { pageData }),
    },
  };
}

/** What `withoutPersonal` left out, for the browser; undefined for an anonymous visitor. */
export function personalPart({ session, search }: RootState): PersonalState | undefined {
  const changed = PERSONAL.filter(
    (name) => JSON.stringify(session[name]) !== JSON.stringify(anonymousSession[name]),
  );
  const { saveSearchData } = search.pageData;
  const isSaved = saveSearchData?.subscribed === true;
  if (changed.length === 0 && !isSaved) return undefined;
  return {
    session: Object.fromEntries(changed.map((name) => [name, session[name]])),
    ...(isSaved && { pageData: search.pageData }),
  };
}
