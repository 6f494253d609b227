import { useEffect, useRef, useState } from 'react';
import type { Outcome } from '../outbox/delivery.ts';
import type { FormName } from './forms.ts';
import { outcomeText, type Sending } from './outcomeText.ts';
import { createSendingKeys, type WaitingSendings } from './sendingKeys.ts';
import { useCheckedFields, type CheckedFields, type FieldRules } from './useCheckedFields.ts';
import { trimmed, type Fields } from './useFields.ts';

/** In the place of the key of a body that is only checked. */
const UNSENT_KEY = 'not sent yet';

export type FormStatus = 'editing' | 'sending' | Outcome;

export interface FormOptions<Name extends string> extends Sending {
  readonly form: FormName;
  readonly fields: Fields<Name>;
  /** The body that is checked and sent, from the trimmed fields and the key of this sending. */
  readonly bodyOf: (
    fields: Readonly<Record<Name, string>>,
    idempotencyKey: string,
  ) => Readonly<Record<string, unknown>>;
  readonly rules?: FieldRules<Name>;
  readonly send: (body: Readonly<Record<string, unknown>>, key: string) => Promise<Outcome>;
  /** Hears how a sending ended, and whether the form was still there to say so. */
  readonly onOutcome?: (outcome: Outcome, isShown: boolean) => void;
  /** Read once, when the form appears. */
  readonly waiting?: WaitingSendings;
}

/** A form that is sent; `FormFrame` draws it. */
export interface Form<Name extends string> extends Omit<CheckedFields<Name>, 'check'> {
  readonly status: FormStatus;
  /** Why the words still stand here. */
  readonly failure: string | undefined;
  readonly submit: () => Promise<void>;
  /** An attempt from elsewhere ended for the words of this form. */
  readonly settle: (key: string, outcome: Outcome) => void;
}

/** Behaviour of a form that is sent: check, one sending at a time, retry with the same key. */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { form, fields, bodyOf, send, onOutcome } = options;
  const [status, setStatus] = useState<FormStatus>('editing');
  const [keys] = useState(() => createSendingKeys(options.waiting ?? {}));
  const isSending = useRef(false);
  const sentKey = useRef<string>(undefined);
  const isShown = useRef(true);
  const { check, ...checked } = useCheckedFields({
    form,
    fields,
    bodyOf: (typed) => bodyOf(typed, UNSENT_KEY),
    rules: options.rules,
  });
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const end = (outcome: Outcome) => {
    setStatus(outcome);
    onOutcome?.(outcome, isShown.current);
  };
  const submit = async () => {
    if (isSending.current) return;
    isSending.current = true;
    try {
      const typed = trimmed(fields);
      if (!(await check(bodyOf(typed, UNSENT_KEY)))) return;
      // Only now: changed words give up those that wait, which a wrong field must not.
      const key = keys.keyOf(bodyOf(typed, ''));
      // The second press of a double click, however fast the answer to the first was.
      if (key === sentKey.current) return setStatus('sent');
      setStatus('sending');
      const outcome = await send(bodyOf(typed, key), key);
      if (outcome === 'sent') sentKey.current = key;
      end(outcome);
    } finally {
      isSending.current = false;
    }
  };
  return {
    ...checked,
    status,
    failure: status === 'refused' || status === 'unreachable' ? outcomeText(options, status) : undefined,
    submit,
    settle(key, outcome) {
      if (keys.isNewest(key) && !isSending.current) end(outcome);
    },
  };
}
