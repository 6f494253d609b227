import { type ReactNode, useMemo } from 'react';
import { Toast } from '@forecourt/slots/ui';
import { Assistant } from '../assistant/Assistant.tsx';
import { useDelivery, useDeliveryRetries } from '../outbox/delivery.ts';
import { useSavedListings } from '../savedListings/useSavedListings.ts';
import { LeadsContext } from '../state/leadsContext.ts';
import { useSaveSearch } from '../savedSearch/useSaveSearch.ts';
import { useToasts } from './useToasts.ts';
import { DialogHost } from './DialogHost.tsx';
import { useStoredDrafts } from './useStoredDrafts.ts';
import { useLateOutcomes } from './useLateOutcomes.ts';
import { NotificationOptIn } from '../notifications/NotificationOptIn.tsx';

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
