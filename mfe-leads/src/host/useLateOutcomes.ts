import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import type { Delivery } from '../outbox/delivery.ts';
import type { Toasts } from '../state/leadsContext.ts';
import { type Drafts, reportFormName, withoutForm, withoutListing } from '../state/drafts.ts';

/** Reports leads that were delivered or refused after their form was closed. */
export function useLateOutcomes(
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
