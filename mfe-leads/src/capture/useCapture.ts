import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import { useSlotEnvironment, type Call, usePageState } from '@forecourt/slots';
import { trimmedValues, useFields } from '../form/useFields.ts';
import { isAutoSaved, rememberSubscription } from '../savedSearch/savedSearch.ts';
import { outcomeOf } from '../outbox/delivery.ts';
import { useCheckedFields } from '../form/useCheckedFields.ts';

/** A search to send emails about; `url` is path and query of its results. */
export interface CapturedSearch {
  readonly url: string;
  readonly title: string;
}

export interface CaptureResult {
  readonly status: 'success' | 'warning' | 'danger';
  /** The search is stored as an alert. */
  readonly isAlertStored: boolean;
  /** Reason for the log; the shopper reads one text for all failures. */
  readonly problem?: string;
  /** The same request may succeed later. */
  readonly canRetry?: boolean;
}

interface AlertResponse {
  readonly subscribed?: boolean;
  /** False when the alert existed before. */
  readonly isNew?: boolean | undefined;
  readonly code?: string;
}

/** Error code when the visitor has the maximum number of alerts. */
const LIMIT_REACHED = 'LIMIT';

const failure = (problem: string, canRetry: boolean): CaptureResult => ({
  status: 'danger',
  isAlertStored: false,
  problem,
  canRetry,
});

/**
 * Subscribes an address to the emails that the form promises, and to no others: the search as an alert,
 * or without one the site's emails. Never rejects.
 */
async function subscribe(
  call: Call,
  request: {
    readonly emailAddress: string;
    readonly brand: string;
    readonly alertFor: CapturedSearch | undefined;
  },
): Promise<CaptureResult> {
  const { emailAddress, brand, alertFor } = request;
  try {
    if (!alertFor) {
      const { status } = await call('emailCapture', {}, { body: { emailAddress, brand } });
      return status === 'danger' ? failure('capture: no success', true) : { status, isAlertStored: false };
    }
    const body = { emailAddress, brand, search: alertFor.url };
    const response: AlertResponse = await call('subscribeAlert', {}, { body });
    const { subscribed, isNew, code = 'no success' } = response;
    if (!subscribed) return failure(`alert: ${code}`, code !== LIMIT_REACHED);
    // An address that has this alert already gets a warning.
    return { status: isNew === false ? 'warning' : 'success', isAlertStored: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(message, outcomeOf(error) === 'unreachable');
  }
}

/**
 * Reports text that an input with `maxLength` rejected. Browsers truncate
 * silently, and a truncated address may belong to someone else.
 */
function useTruncatedText(ref: RefObject<HTMLInputElement | null>, onTruncated: (text: string) => void) {
  const latest = useRef(onTruncated);
  useEffect(() => {
    latest.current = onTruncated;
  });
  useEffect(() => {
    const input = ref.current;
    if (!input) return undefined;
    let hasChanged = false;
    const onInput = () => {
      hasChanged = true;
    };
    const onBeforeInput = ({ data }: InputEvent) => {
      const text = data?.trim() ?? '';
      if (text === '') return;
      hasChanged = false;
      setTimeout(() => {
        const isComplete = hasChanged && input.value.includes(text);
        if (!isComplete && input.value.length >= input.maxLength) latest.current(text);
      });
    };
    input.addEventListener('beforeinput', onBeforeInput);
    input.addEventListener('input', onInput);
    return () => {
      input.removeEventListener('beforeinput', onBeforeInput);
      input.removeEventListener('input', onInput);
    };
  }, [ref]);
}

/** Behavior of the email capture form: validation, honeypot, subscription, retry. */
export function useCapture(search: CapturedSearch) {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const signedIn = usePageState(({ session }) => session.signedIn);
  const title = usePageState((state) => state.search.pageData.saveSearchData?.title);
  const inputRef = useRef<HTMLInputElement>(null);
  const honeypotRef = useRef<HTMLInputElement>(null);
  /** Characters beyond the field's `maxLength`: the full address is validated, not the truncated one. */
  const truncated = useRef('');
  const isSending = useRef(false);
  const isDone = useRef(false);
  const [status, setStatus] = useState<CaptureResult['status'] | 'editing' | 'sending'>('editing');
  const [canRetry, setCanRetry] = useState(false);
  const fields = useFields(['emailAddress']);
  const bodyOf = ({ emailAddress }: { emailAddress: string }) => ({
    emailAddress: emailAddress + truncated.current,
    brand,
  });
  const { formRef, bind, check } = useCheckedFields({ form: 'emailCapture', fields, bodyOf });
  const field = bind('emailAddress');
  const alertFor = isAutoSaved({ signedIn, title }) ? search : undefined;
  useTruncatedText(inputRef, (text) => {
    truncated.current = text;
    void check(bodyOf(trimmedValues(fields)));
  });

  const send = async () => {
    const body = bodyOf(trimmedValues(fields));
    if (!(await check(body))) return;
    if (honeypotRef.current?.value) {
      // Only bots fill the hidden field; they get the same confirmation as everyone else.
      emit('problem.reported', { code: 'HONEYPOT', message: 'email capture' });
      return setStatus('success');
    }
    setStatus('sending');
    const result = await subscribe(call, { ...body, alertFor });
    isDone.current = result.status !== 'danger';
    setStatus(result.status);
    setCanRetry(result.canRetry ?? false);
    if (result.problem) emit('problem.reported', { code: 'EMAIL_CAPTURE', message: result.problem });
    if (!result.isAlertStored) return;
    rememberSubscription(search.url);
    emit('search.saved', { via: 'email' });
  };
  return {
    formRef,
    inputRef,
    honeypotRef,
    status,
    canRetry,
    hasAlert: alertFor !== undefined,
    value: field.value,
    error: field.error,
    change: (text: string) => {
      isDone.current = false;
      truncated.current = '';
      field.onChange(text);
      setStatus('editing');
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      // A double click sends once, even when the first response has already arrived.
      if (isSending.current || isDone.current) return;
      isSending.current = true;
      void send().finally(() => (isSending.current = false));
    },
    retry: () => {
      // The retry button disappears with the alert: move the focus to the submit button.
      formRef.current?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
      formRef.current?.requestSubmit();
    },
  };
}
