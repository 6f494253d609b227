import { useEffect, useRef, useState } from 'react';
import type { Toasts } from '../host/toasts.ts';
import type { Delivery } from '../outbox/delivery.ts';
import type { QueuedCall } from '../outbox/outbox.ts';
import { lateOutcomeText } from './outcomeText.ts';
import { useForm, type Form, type FormOptions } from './useForm.ts';

/** A form about one listing, whose words wait in this browser while the upstream is down. */
export function useLeadForm<Name extends string>(
  options: Omit<FormOptions<Name>, 'form' | 'send' | 'isKept' | 'waiting' | 'onOutcome'> & {
    readonly call: QueuedCall;
    readonly listingId: string;
    readonly delivery: Delivery;
    /** Says how a sending ended to a shopper who closed the form meanwhile. */
    readonly toasts?: Toasts;
    /** The form shows what waits about this listing already: changed words replace that. */
    readonly showsWaiting?: boolean;
    readonly onSent?: () => void;
  },
): Form<Name> {
  const { call, listingId, delivery, toasts, showsWaiting, onSent, about } = options;
  const [initialKey] = useState(() => (showsWaiting ? delivery.waitingFor(call, listingId) : undefined));
  const sending = { ...options, isKept: true };
  const form = useForm<Name>({
    ...sending,
    form: call,
    send: (body, id) => delivery.send({ id, call, body, about, listingId }),
    waiting: {
      initialKey,
      waitingKey: (body) => delivery.waitingKey(call, body),
      onAbandoned: delivery.forget,
    },
    onOutcome(outcome, isShown) {
      if (outcome === 'sent') onSent?.();
      if (!isShown) toasts?.show(lateOutcomeText(sending, outcome));
    },
  });
  const settle = useRef(form.settle);
  useEffect(() => {
    settle.current = form.settle;
  });
  useEffect(() => delivery.onLateOutcome(({ id }, outcome) => settle.current(id, outcome)), [delivery]);
  return form;
}
