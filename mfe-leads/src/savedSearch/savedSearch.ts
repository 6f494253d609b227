import type { BookmarkForm } from '../callTypes.ts';
import { formatLastExecuted } from '@forecourt/shared-contracts/rules';
import { encodeStoredSearch } from '@forecourt/shared-contracts/url';
import {
  browserStorage,
  type SearchState,
  selectFlag,
  type RootState,
} from '@forecourt/shared-contracts/store';
import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { randomKey } from '../form/submission.ts';
import { isSessionExpired, outcomeOfResponse } from '../outbox/delivery.ts';
import { useLeads } from '../state/leadsContext.ts';

export const SAVED_SEARCHES_PATH = '/account/saved-searches';

/** Title of a search, from its heading (AMB-068): 'Used Ford F-150 in Atlanta, GA'. */
export const searchTitle = ({ texts, chips }: Pick<SearchState, 'texts' | 'chips'>): string => {
  const heading = texts.heading.replace(/^(cars) for sale(?= )/i, '$1').replace(/ ?cars for sale/i, '');
  const name = heading.trim() || chips.map(({ label }) => label).join(', ') || 'All cars';
  return name.slice(0, 120);
};

/** Body of the save-search call for a new bookmark (A7-BOOK-03, AMB-099). */
export function bookmarkOf(
  search: Pick<SearchState, 'criteria' | 'texts' | 'chips'>,
  now: Date,
): BookmarkForm {
  const title = searchTitle(search);
  return {
    bookmarkId: '',
    bookmarkTitle: title,
    searchName: title,
    lastExecuted: formatLastExecuted(now),
    searchResultsURL: encodeStoredSearch(search.criteria),
  };
}

/** Maximum number of stored recent searches (AMB-096). */
const MAX_RECENT_SEARCHES = 20;

/** Has this browser subscribed to emails about the search? */
const isSubscribedSearch = (url: string): boolean =>
  browserStorage.recentSearches.read().some((recent) => recent.url === url && recent.subscribed);

export function rememberSubscription(url: string): void {
  const otherSearches = browserStorage.recentSearches.read().filter((recent) => recent.url !== url);
  browserStorage.recentSearches.write(
    [{ url, subscribed: true }, ...otherSearches].slice(0, MAX_RECENT_SEARCHES),
  );
}

/**
 * What a click on save-search does (A4-SAVE-01..03): signed out, the
 * email-alerts dialog if that feature is on, otherwise the inline capture form,
 * once; signed in, save. In all other cases ask to sign in (AMB-017).
 */
export function decideSaveSearch({
  signedIn,
  hasSubscribeAlerts,
  isSubscribed,
  isInlineCaptureShown,
}: {
  readonly signedIn: boolean;
  readonly hasSubscribeAlerts: boolean;
  readonly isSubscribed: boolean;
  readonly isInlineCaptureShown: boolean;
}): 'emailAlerts' | 'inlineCapture' | 'save' | 'signIn' {
  if (signedIn) return 'save';
  if (hasSubscribeAlerts) return 'emailAlerts';
  return isSubscribed || isInlineCaptureShown ? 'signIn' : 'inlineCapture';
}

/** Does an email subscription also store the search as an alert (B6-SAVE-01, B6-SAVE-02, AMB-016)? */
export const isAutoSaved = (visitor: {
  readonly signedIn: boolean;
  readonly title: string | undefined;
}): boolean => !visitor.signedIn && !visitor.title;

const isInlineCaptureShown = () =>
  document.querySelector('[data-slot="toolbar"] [data-outlet="email-capture"]') !== null;

/** Handles `search.saveRequested`: saves the current search, or opens what the visitor needs for that. */
export function useSaveSearch(): void {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();

  useEffect(() => {
    let isSaving = false;
    /** A search that may or may not be saved: its key prevents a duplicate bookmark on retry. */
    let unconfirmed: { readonly search: string; readonly key: string } | undefined;
    const save = async (): Promise<void> => {
      // A double click saves once.
      if (isSaving) return;
      isSaving = true;
      const body = bookmarkOf(store.getState().search, new Date());
      const search = body.searchResultsURL;
      if (unconfirmed?.search !== search) unconfirmed = { search, key: randomKey() };
      const options = { body, idempotencyKey: unconfirmed.key };
      let isSaved = false;
      try {
        isSaved = outcomeOfResponse(await call('saveSearch', {}, options)) === 'sent';
      } catch (error) {
        // The gateway logged any other error; the toast below tells the shopper.
        if (isSessionExpired(error))
          return emit('signIn.requested', { reason: 'saveSearch', screen: 'signIn' });
      } finally {
        isSaving = false;
      }
      if (!isSaved)
        return toasts.show('We couldn’t save this search.', {
          label: 'Try again',
          onUse: () => void save(),
        });
      unconfirmed = undefined;
      emit('search.saved', { via: 'account', title: body.bookmarkTitle });
      toasts.show(`Saved as “${body.bookmarkTitle}”.`, {
        label: 'See saved searches',
        onUse: () => window.location.assign(SAVED_SEARCHES_PATH),
      });
    };
    return listen('search.saveRequested', () => {
      const state = store.getState();
      const decision = decideSaveSearch({
        signedIn: state.session.signedIn,
        hasSubscribeAlerts: selectFlag('subscribeAlerts')(state),
        isSubscribed: isSubscribedSearch(state.search.url),
        isInlineCaptureShown: isInlineCaptureShown(),
      });
      if (decision === 'save') void save();
      else if (decision === 'emailAlerts') emit('dialog.requested', { name: 'emailSearch' });
      else if (decision === 'inlineCapture') emit('search.captureRequested', {});
      else emit('signIn.requested', { reason: 'saveSearch', screen: 'signUp' });
    });
  }, [call, emit, listen, store, toasts]);
}
