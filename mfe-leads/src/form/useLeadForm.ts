import { useEffect, useRef, useState } from 'react';
import type { Delivery } from '../outbox/delivery.ts';
import type { QueuedCall } from '../outbox/outbox.ts';
import type { Toasts } from '../state/leadsContext.ts';
import { lateOutcomeMessage } from './submission.ts';
import { type FormOptions, type Form, useForm } from './useForm.ts';

/** A form about one listing. While the upstream is down, its submission waits in this browser. */
export function useLeadForm<Name extends string>(
  options: Omit<FormOptions<Name>, 'form' | 'send' | 'isQueued' | 'pending' | 'onOutcome'> & {
    readonly call: QueuedCall;
    readonly listingId: string;
    readonly delivery: Delivery;
    /** Tell a shopper who has closed the form how the submission ended. */
    readonly toasts?: Toasts;
    /** The form shows the pending submission about this listing: an edit replaces it. */
    readonly showsPending?: boolean;
    readonly onSent?: () => void;
  },
): Form<Name> {
  const { call, listingId, delivery, toasts, showsPending, onSent, about } = options;
  const [initialKey] = useState(() => (showsPending ? delivery.findPendingKey(call, listingId) : undefined));
  const submission = { ...options, isQueued: true };
  const form = useForm<Name>({
    ...submission,
    form: call,
    send: (body, id) => delivery.send({ id, call, body, about, listingId }),
    pending: {
      initialKey,
      findDuplicateKey: (body) => delivery.findDuplicateKey(call, body),
      onAbandoned: delivery.discard,
    },
    onOutcome(outcome, isMounted) {
      if (outcome === 'sent') onSent?.();
      if (!isMounted) toasts?.show(lateOutcomeMessage(submission, outcome));
    },
  });
  const applyOutcome = useRef(form.applyOutcome);
  useEffect(() => {
    applyOutcome.current = form.applyOutcome;
  });
  useEffect(() => delivery.onLateOutcome(({ id }, outcome) => applyOutcome.current(id, outcome)), [delivery]);
  return form;
}
