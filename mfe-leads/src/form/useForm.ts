import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Outcome } from '../outbox/delivery.ts';
import { loadCheck, type Check, type FieldErrors, type FormName } from './forms.ts';
import { newKey } from './newKey.ts';

export type FormStatus = 'editing' | 'sending' | Outcome;

interface FormOptions<Name extends string> {
  readonly form: FormName;
  /** In the order of the form: the first wrong one gets the focus. */
  readonly names: readonly Name[];
  readonly fields: Readonly<Record<Name, string>>;
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** The body that is checked and sent, from the trimmed fields and the key of this sending. */
  readonly bodyOf: (fields: Readonly<Record<Name, string>>, key: string) => object;
  readonly send: (body: object, key: string) => Promise<Outcome>;
  /** Hears how a sending ended, and whether the form was still there to say so. */
  readonly onOutcome?: (outcome: Outcome, isShown: boolean) => void;
  /** Key of a sending of the same body that waits already, e.g. from before the dialog was closed. */
  readonly waitingKey?: (body: object) => string | undefined;
  /** Key of a sending that waits from before, whose words this form shows and may change. */
  readonly initialKey?: string | undefined;
  /** The words of a failed sending were changed: that one is not wanted any more. */
  readonly onAbandoned?: (key: string) => void;
}

export interface Form<Name extends string> {
  readonly status: FormStatus;
  readonly errors: FieldErrors;
  readonly submit: () => Promise<void>;
  /** Call it with what was typed: takes an error away as soon as its field is right. */
  readonly recheck: (field: Name, fields: Readonly<Record<Name, string>>) => void;
  /** An attempt from elsewhere ended for the words of this form. */
  readonly settle: (key: string, outcome: Outcome) => void;
}

/**
 * Behaviour of a form: check, one sending at a time, retry.
 *
 * A repeated sending of the same words has the same idempotency key and is
 * stored once, even when only the answer to the first was lost; changed words
 * are a new message.
 */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { form, names, fields, formRef, bodyOf, send } = options;
  const [status, setStatus] = useState<FormStatus>('editing');
  const [errors, setErrors] = useState<FieldErrors>({});
  const check = useRef<Promise<Check>>(undefined);
  const isSending = useRef(false);
  const isShown = useRef(true);
  const lastSent = useRef({ words: '', key: options.initialKey ?? '' });

  useEffect(() => {
    isShown.current = true;
    check.current ??= loadCheck();
    return () => {
      isShown.current = false;
    };
  }, []);

  const trimmed = (typed: Readonly<Record<Name, string>>) =>
    Object.fromEntries(names.map((name) => [name, typed[name].trim()])) as Record<Name, string>;

  const keyOf = (typed: Readonly<Record<Name, string>>): string => {
    const words = JSON.stringify(typed);
    if (lastSent.current.words !== words) {
      const key = options.waitingKey?.(bodyOf(typed, '')) ?? newKey();
      if (lastSent.current.key && lastSent.current.key !== key) options.onAbandoned?.(lastSent.current.key);
      lastSent.current = { words, key };
    }
    return lastSent.current.key;
  };

  const submit = async () => {
    if (isSending.current) return;
    isSending.current = true;
    try {
      const typed = trimmed(fields);
      const key = keyOf(typed);
      const body = bodyOf(typed, key);
      const wrong = (await (check.current ??= loadCheck()))(form, body);
      setErrors(wrong);
      const firstWrong = names.find((name) => wrong[name]);
      if (firstWrong) {
        formRef.current?.querySelector<HTMLElement>(`[name="${firstWrong}"]`)?.focus();
        return;
      }
      setStatus('sending');
      const outcome = await send(body, key);
      setStatus(outcome);
      options.onOutcome?.(outcome, isShown.current);
    } finally {
      isSending.current = false;
    }
  };

  const recheck = (field: Name, typed: Readonly<Record<Name, string>>) => {
    if (!errors[field]) return;
    void check.current?.then((errorsOf) => {
      const error = errorsOf(form, bodyOf(trimmed(typed), 'not sent yet'))[field];
      setErrors((last) => ({ ...last, [field]: error }));
    });
  };

  const settle = (key: string, outcome: Outcome) => {
    if (key !== lastSent.current.key || isSending.current) return;
    setStatus(outcome);
    options.onOutcome?.(outcome, isShown.current);
  };

  return { status, errors, submit, recheck, settle };
}
