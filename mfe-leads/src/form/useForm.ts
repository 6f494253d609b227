import { useEffect, useRef, useState } from 'react';
import type { Delivery, Outcome } from '../outbox/delivery.ts';
import type { QueuedCall } from '../outbox/outbox.ts';
import type { Toasts } from '../state/leadsContext.ts';
import type { FormName } from './checks.ts';
import {
  createIdempotencyKeys,
  lateOutcomeMessage,
  outcomeMessage,
  type PendingSubmissions,
  type Submission,
} from './submission.ts';
import {
  useCheckedFields,
  type CheckedFields,
  type FieldRules,
  trimmedValues,
  type Fields,
} from './useFields.ts';

/** Placeholder key of a body that is only validated. */
export const UNSENT_KEY = 'not sent yet';

interface FormOptions<Name extends string> extends Submission {
  readonly form: FormName;
  readonly fields: Fields<Name>;
  /** Builds the body to validate and send, from the trimmed fields and the idempotency key. */
  readonly bodyOf: (
    fields: Readonly<Record<Name, string>>,
    idempotencyKey: string,
  ) => Readonly<Record<string, unknown>>;
  readonly rules?: FieldRules<Name>;
  readonly send: (body: Readonly<Record<string, unknown>>, key: string) => Promise<Outcome>;
  /** `isMounted` is false when the form was closed before the outcome was known. */
  readonly onOutcome?: (outcome: Outcome, isMounted: boolean) => void;
  /** Read once, on mount. */
  readonly pending?: PendingSubmissions;
}

/** State of a form that `FormFrame` renders. */
export interface Form<Name extends string> extends Omit<CheckedFields<Name>, 'check'> {
  readonly status: 'editing' | 'sending' | Outcome;
  /** Why the last submission failed. */
  readonly failure: string | undefined;
  readonly submit: () => Promise<void>;
  /** Applies the outcome of a retry that ran outside the form. */
  readonly applyOutcome: (key: string, outcome: Outcome) => void;
}

/** Form behavior: validate, submit once at a time, retry with the same idempotency key. */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { form, fields, bodyOf, send, onOutcome } = options;
  const [status, setStatus] = useState<Form<Name>['status']>('editing');
  const [keys] = useState(() => createIdempotencyKeys(options.pending ?? {}));
  const isSending = useRef(false);
  const sentKey = useRef<string>(undefined);
  const isMounted = useRef(true);
  const { check, ...checked } = useCheckedFields({
    form,
    fields,
    bodyOf: (typed) => bodyOf(typed, UNSENT_KEY),
    rules: options.rules,
  });
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const finish = (outcome: Outcome) => {
    setStatus(outcome);
    onOutcome?.(outcome, isMounted.current);
  };
  const submit = async () => {
    if (isSending.current) return;
    isSending.current = true;
    try {
      const typed = trimmedValues(fields);
      if (!(await check(bodyOf(typed, UNSENT_KEY)))) return;
      // After validation: a new key discards the pending submission, which an invalid edit must not do.
      const key = keys.keyOf(bodyOf(typed, ''));
      // A double click whose first response has already arrived.
      if (key === sentKey.current) return setStatus('sent');
      setStatus('sending');
      const outcome = await send(bodyOf(typed, key), key);
      if (outcome === 'sent') sentKey.current = key;
      finish(outcome);
    } finally {
      isSending.current = false;
    }
  };
  return {
    ...checked,
    status,
    failure: status === 'refused' || status === 'unreachable' ? outcomeMessage(options, status) : undefined,
    submit,
    applyOutcome(key, outcome) {
      if (keys.isLatest(key) && !isSending.current) finish(outcome);
    },
  };
}

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
