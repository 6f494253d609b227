import { useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, type RootState } from '@forecourt/shared-contracts/store';
import { newKey } from '../form/newKey.ts';
import { useLeads } from '../host/leadsContext.ts';
import { isSignedOut, outcomeOfAnswer } from '../outbox/delivery.ts';
import { bookmarkOf } from './bookmark.ts';
import { isSubscribedSearch } from './recentSearches.ts';
import { decideSaveSearch } from './saveSearchDecision.ts';

/** Page of the visitor's saved searches. */
export const SAVED_SEARCHES_PATH = '/account/saved-searches';

/** The place of the inline capture, wherever a slot has put it. */
const isInlineCaptureShown = () =>
  document.querySelector('[data-slot="toolbar"] [data-outlet="email-capture"]') !== null;

/** Saves the current search when somebody asks, in the way that fits the visitor. */
export function useSaveSearch(): void {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  const toastsRef = useRef(toasts);
  useEffect(() => {
    toastsRef.current = toasts;
  });

  useEffect(() => {
    let isSaving = false;
    /** Of what is not known to be saved: sent again it is the same bookmark. */
    let unsettled: { readonly search: string; readonly key: string } | undefined;
    const save = async (): Promise<void> => {
      // A double click saves once.
      if (isSaving) return;
      isSaving = true;
      const body = bookmarkOf(store.getState().search, new Date());
      const search = body.searchResultsURL;
      if (unsettled?.search !== search) unsettled = { search, key: newKey() };
      const options = { body, idempotencyKey: unsettled.key };
      let isSaved = false;
      try {
        isSaved = outcomeOfAnswer(await call('saveSearch', {}, options)) === 'sent';
      } catch (error) {
        if (isSignedOut(error)) return emit('signIn.requested', { reason: 'saveSearch', screen: 'signIn' });
        // The gateway has logged it; the shopper is told below.
      } finally {
        isSaving = false;
      }
      if (isSaved) {
        unsettled = undefined;
        emit('search.saved', { via: 'account', title: body.bookmarkTitle });
      }
      toastsRef.current.show(
        isSaved ? `Saved as “${body.bookmarkTitle}”.` : 'This search was not saved.',
        isSaved
          ? { label: 'See saved searches', onUse: () => window.location.assign(SAVED_SEARCHES_PATH) }
          : { label: 'Try again', onUse: () => void save() },
      );
    };
    return listen('search.saveRequested', () => {
      const state = store.getState();
      const way = decideSaveSearch({
        signedIn: state.session.signedIn,
        hasSubscribeAlerts: selectFlag('subscribeAlerts')(state),
        isSubscribed: isSubscribedSearch(state.search.url),
        isInlineCaptureShown: isInlineCaptureShown(),
      });
      if (way === 'save') void save();
      else if (way === 'emailAlerts') emit('dialog.requested', { name: 'emailSearch' });
      else if (way === 'inlineCapture') emit('search.captureRequested', {});
      else emit('signIn.requested', { reason: 'saveSearch', screen: 'signUp' });
    });
  }, [call, emit, listen, store]);
}
