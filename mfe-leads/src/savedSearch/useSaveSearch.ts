import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { selectFlag, type RootState } from '@forecourt/search/state';
import { useSlotEnvironment } from '@forecourt/slots';
import { randomKey } from '../form/submission.ts';
import { isSessionExpired, outcomeOfResponse } from '../outbox/delivery.ts';
import { bookmarkOf, decideSaveSearch, isSubscribedSearch, SAVED_SEARCHES_PATH } from './savedSearch.ts';
import { useLeads } from '../state/leadsContext.ts';

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
    let unconfirmedSave: { readonly search: string; readonly key: string } | undefined;
    const save = async (): Promise<void> => {
      // A double click saves once.
      if (isSaving) return;
      isSaving = true;
      const body = bookmarkOf(store.getState().search, new Date());
      const search = body.searchResultsURL;
      if (unconfirmedSave?.search !== search) unconfirmedSave = { search, key: randomKey() };
      const options = { body, idempotencyKey: unconfirmedSave.key };
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
      unconfirmedSave = undefined;
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
