import { useEffect, useMemo, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Toast, type ToastContent } from '@forecourt/shared-contracts/ui';
import { Assistant } from '../assistant/Assistant.tsx';
import { randomKey } from '../form/submission.ts';
import { NotificationOptIn } from '../notifications/NotificationOptIn.tsx';
import { useDelivery, useDeliveryRetries, type Delivery } from '../outbox/delivery.ts';
import { useSavedListings } from '../savedListings/useSavedListings.ts';
import { useSaveSearch } from '../savedSearch/useSaveSearch.ts';
import {
  emptyDrafts,
  parseDrafts,
  reportFormName,
  withoutForm,
  withoutListing,
  type Drafts,
} from '../state/drafts.ts';
import { LeadsContext, type Toasts } from '../state/leadsContext.ts';
import { readStored, STORAGE_KEYS, webStorage, writeStored } from '../storage/webStorage.ts';
import { DialogHost } from './DialogHost.tsx';

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
