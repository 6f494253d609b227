import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { useCheckedFields } from '../form/useCheckedFields.ts';
import { trimmedValues, useFields } from '../form/useFields.ts';
import { isAutoSaved, rememberSubscription } from '../savedSearch/savedSearch.ts';
import { subscribe, type CapturedSearch, type CaptureResult } from './subscribe.ts';

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
      // Only bots fill the hidden field; they get the same confirmation as everyone else (AMB-108).
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
    change(text: string) {
      isDone.current = false;
      truncated.current = '';
      field.onChange(text);
      setStatus('editing');
    },
    submit(event: FormEvent) {
      event.preventDefault();
      // A double click sends once, even when the first response has already arrived.
      if (isSending.current || isDone.current) return;
      isSending.current = true;
      void send().finally(() => (isSending.current = false));
    },
    retry() {
      // The retry button disappears with the alert: move the focus to the submit button.
      formRef.current?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
      formRef.current?.requestSubmit();
    },
  };
}
