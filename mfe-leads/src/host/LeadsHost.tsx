import {
  type ComponentType,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useStore } from 'react-redux';
import { selectFlag, type RootState } from '@forecourt/shared-contracts/store';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Button, Dialog, Skeleton, Toast, type ToastContent } from '@forecourt/shared-contracts/ui';
import { Assistant } from '../assistant/Assistant.tsx';
import { randomKey } from '../form/submission.ts';
import { NotificationOptIn } from '../notifications/NotificationPrompt.tsx';
import {
  type Delivery,
  isSessionExpired,
  outcomeOfResponse,
  useDelivery,
  useDeliveryRetries,
} from '../outbox/delivery.ts';
import { useSavedListings } from '../savedListings/useSavedListings.ts';
import {
  bookmarkOf,
  decideSaveSearch,
  isSubscribedSearch,
  SAVED_SEARCHES_PATH,
} from '../savedSearch/savedSearch.ts';
import {
  type Drafts,
  emptyDrafts,
  parseDrafts,
  reportFormName,
  withoutForm,
  withoutListing,
  LeadsContext,
  useLeads,
  type Toasts,
} from '../state/leadsContext.ts';
import { STORAGE_KEYS, readStored, webStorage, writeStored } from '../storage/webStorage.ts';
import { type OpenDialog, TEXT_DIALOGS, titleOf, useDialogs } from './useDialogs.ts';

/** Root of the leads slot: dialogs, toast, assistant and notification prompt. */
export function LeadsHost(): ReactNode {
  const delivery = useDelivery();
  const { toasts, toast, onGone } = useToasts();
  const [drafts, setDrafts] = useStoredDrafts();
  useDeliveryRetries(delivery);
  useLateOutcomes(delivery, toasts, setDrafts);
  const leads = useMemo(
    () => ({ delivery, drafts, setDrafts, toasts }),
    [delivery, drafts, setDrafts, toasts],
  );
  return (
    <LeadsContext value={leads}>
      <Listeners />
      <Assistant />
      <NotificationOptIn />
      <DialogHost />
      <Toast toast={toast} onGone={onGone} />
    </LeadsContext>
  );
}

/** Handlers of intents that open no dialog. */
function Listeners(): null {
  useSavedListings();
  useSaveSearch();
  return null;
}

const isInlineCaptureShown = () =>
  document.querySelector('[data-slot="toolbar"] [data-outlet="email-capture"]') !== null;

/** Handles `search.saveRequested`: saves the current search, or opens what the visitor needs for that. */
function useSaveSearch(): void {
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

function useToasts(): { toasts: Toasts; toast: ToastContent | null; onGone: () => void } {
  const [toast, setToast] = useState<ToastContent | null>(null);
  const toasts = useMemo<Toasts>(
    () => ({ show: (message, action) => setToast({ key: randomKey(), message, ...(action && { action }) }) }),
    [],
  );
  return { toasts, toast, onGone: () => setToast(null) };
}

/** Drafts live in session storage, so they survive a reload of the tab. */
function useStoredDrafts() {
  const [drafts, setDrafts] = useState(
    () => readStored(STORAGE_KEYS.leadDrafts, parseDrafts, webStorage('session')) ?? emptyDrafts,
  );
  useEffect(() => {
    writeStored(STORAGE_KEYS.leadDrafts, drafts, webStorage('session'));
  }, [drafts]);
  return [drafts, setDrafts] as const;
}

/** Reports leads that were delivered or refused after their form was closed. */
function useLateOutcomes(
  delivery: Delivery,
  toasts: Toasts,
  setDrafts: Dispatch<SetStateAction<Drafts>>,
): void {
  const { emit } = useSlotEnvironment();
  useEffect(
    () =>
      delivery.onLateOutcome(({ about, call, listingId }, outcome) => {
        if (outcome === 'unreachable') return;
        if (outcome === 'refused') return toasts.show(`${about} could not be delivered.`);
        toasts.show(`${about} was sent.`);
        if (listingId === undefined) return;
        // A report goes to the marketplace, not to the seller.
        if (call === 'reportListing')
          return setDrafts((last) => withoutForm(last, reportFormName(listingId)));
        emit('lead.sent', { listingId });
        setDrafts((last) => withoutListing(last, listingId));
      }),
    [delivery, toasts, setDrafts, emit],
  );
}

type DialogView = ComponentType<{ dialog: OpenDialog; onClose: () => void }>;

/** Loads the dialogs' code once the page is idle; `retry` tries again after a failure. */
function useDialogView() {
  const [view, setView] = useState<{ readonly View: DialogView } | 'failed' | undefined>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isMounted = true;
    import('./DialogContents.tsx').then(
      ({ DialogContents }) => isMounted && setView({ View: DialogContents }),
      () => isMounted && setView('failed'),
    );
    return () => {
      isMounted = false;
    };
  }, [attempt]);
  const retry = () => {
    setView(undefined);
    setAttempt((count) => count + 1);
  };
  return { view, retry };
}

/** Focuses the first field when the content loads after its dialog has opened. */
function useInitialFocus(isLoaded: boolean, dialogId: number | undefined): void {
  useEffect(() => {
    const first = document.querySelector<HTMLElement>('dialog[open] [data-initial-focus]');
    const isFree = document.activeElement?.closest('[data-initial-focus], form') == null;
    if (isLoaded && dialogId !== undefined && first && isFree && window.matchMedia('(pointer: fine)').matches)
      first.focus();
  }, [isLoaded, dialogId]);
}

/** The one dialog of this remote. */
function DialogHost(): ReactNode {
  const { dialog, close } = useDialogs();
  const { view, retry } = useDialogView();
  const isLoaded = typeof view === 'object';
  useInitialFocus(isLoaded, dialog?.id);

  const content = () => {
    if (!dialog) return null;
    if (view === 'failed')
      return (
        <p role="alert">
          This part of the page could not be loaded. <Button onClick={retry}>Try again</Button>
        </p>
      );
    if (!view) return <Skeleton height="320px" />;
    return <view.View key={dialog.id} dialog={dialog} onClose={close} />;
  };
  // The make-offer element renders its own dialog.
  const hasOwnDialog = dialog?.kind === 'offer' && dialog.vehicle !== undefined && isLoaded;
  return (
    <>
      {hasOwnDialog && content()}
      <Dialog
        open={dialog !== null && !hasOwnDialog}
        title={dialog ? titleOf(dialog) : ''}
        isText={dialog !== null && TEXT_DIALOGS.includes(dialog.kind)}
        onClose={close}
      >
        {!hasOwnDialog && content()}
      </Dialog>
    </>
  );
}
