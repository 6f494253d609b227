import { useEffect, useRef, useState } from 'react';
import type { Outcome } from '../outbox/delivery.ts';
import type { FormName } from './checks.ts';
import {
  createIdempotencyKeys,
  outcomeMessage,
  type PendingSubmissions,
  type Submission,
} from './submission.ts';
import { trimmedValues, type Fields } from './useFields.ts';
import { useCheckedFields, type CheckedFields, type FieldRules } from './useCheckedFields.ts';

/** Placeholder key of a body that is only validated. */
export const UNSENT_KEY = 'not sent yet';

export interface FormOptions<Name extends string> extends Submission {
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
      const values = trimmedValues(fields);
      if (!(await check(bodyOf(values, UNSENT_KEY)))) return;
      // After validation: a new key discards the pending submission, which an invalid edit must not do.
      const key = keys.keyOf(bodyOf(values, ''));
      // A double click whose first response has already arrived.
      if (key === sentKey.current) return setStatus('sent');
      setStatus('sending');
      const outcome = await send(bodyOf(values, key), key);
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
