import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Toast } from '@forecourt/shared-contracts/ui';
import { Assistant } from '../assistant/Assistant.tsx';
import { emptyDrafts, parseDrafts, withoutForm, withoutListing } from '../email/drafts.ts';
import { NotificationOptIn } from '../notifications/NotificationOptIn.tsx';
import { useDelivery, useKeepDelivering } from '../outbox/useDelivery.ts';
import { useSavedListings } from '../savedListings/useSavedListings.ts';
import { useSaveSearch } from '../savedSearch/useSaveSearch.ts';
import { reportForm } from '../sharing/reportForm.ts';
import { browserStorage, readStored, writeStored } from '../storage/browserStorage.ts';
import { STORAGE_KEYS } from '../storage/keys.ts';
import { DialogHost } from './DialogHost.tsx';
import { LeadsContext } from './leadsContext.ts';
import { useToasts } from './useToasts.ts';

/** Everything by which a shopper contacts, saves, signs up and is told: dialogs, toast, assistant, prompts. */
export function LeadsHost(): ReactNode {
  const { emit } = useSlotEnvironment();
  const delivery = useDelivery();
  const { toasts, shown, onGone } = useToasts();
  const [drafts, setDrafts] = useState(
    () => readStored(STORAGE_KEYS.leadDrafts, parseDrafts, browserStorage('session')) ?? emptyDrafts,
  );
  useEffect(() => {
    writeStored(STORAGE_KEYS.leadDrafts, drafts, browserStorage('session'));
  }, [drafts]);

  useKeepDelivering(delivery);
  useEffect(
    () =>
      delivery.onLateOutcome(({ about, call, listingId }, outcome) => {
        if (outcome === 'unreachable') return;
        if (outcome === 'refused') return toasts.show(`${about} could not be delivered.`);
        toasts.show(`${about} was sent.`);
        if (listingId === undefined) return;
        // A report is no message to the seller.
        if (call === 'reportListing') return setDrafts((last) => withoutForm(last, reportForm(listingId)));
        emit('lead.sent', { listingId });
        setDrafts((last) => withoutListing(last, listingId));
      }),
    [delivery, toasts, emit],
  );
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
      <Toast toast={shown} onGone={onGone} />
    </LeadsContext>
  );
}

/** Answers to intents that need no dialog. */
function Listeners(): null {
  useSavedListings();
  useSaveSearch();
  return null;
}
