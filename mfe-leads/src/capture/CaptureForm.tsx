import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { EMAIL_MAX_LENGTH } from '@forecourt/shared-contracts/entities';
import { usePageState } from '@forecourt/shared-contracts/store';
import { signInLink } from '@forecourt/shared-contracts/url';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { useCheckedFields } from '../form/useCheckedFields.ts';
import { trimmed, useFields } from '../form/useFields.ts';
import { useIsReady } from '../form/useIsReady.ts';
import { currentPage } from '../savedListings/SignInPrompt.tsx';
import { rememberSubscription } from '../savedSearch/recentSearches.ts';
import { isAutoSaved } from '../savedSearch/saveSearchDecision.ts';
import styles from './CaptureForm.module.css';
import { subscribe, type CaptureStatus, type WantedSearch } from './subscribe.ts';
import { useCutText } from './useCutText.ts';

/**
 * What every failed subscription says, an outage too (A4-SAVE-06, A8-ERR-01, AMB-097);
 * where nobody refused it, a retry stands below.
 */
export const LIMIT_TEXT = 'You have a maximum of 2 searches saved.';

/**
 * The one form that asks for an address, in all its places (AMB-019): the
 * button reads 'Subscribe', then 'Subscribed!' until the address changes.
 */
export function CaptureForm({ search, isFirst }: { search: WantedSearch; isFirst?: boolean }): ReactNode {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const signedIn = usePageState(({ session }) => session.signedIn);
  const signInPath = usePageState(({ session }) => session.signInPath);
  const title = usePageState((state) => state.search.pageData.saveSearchData?.title);
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  /** What the field had no room for: the address is refused as it was meant. */
  const cut = useRef('');
  const websiteRef = useRef<HTMLInputElement>(null);
  const isSending = useRef(false);
  const isDone = useRef(false);
  const [status, setStatus] = useState<CaptureStatus | 'editing' | 'sending'>('editing');
  const [mayRetry, setMayRetry] = useState(false);
  const fields = useFields(['emailAddress']);
  const bodyOf = ({ emailAddress }: { emailAddress: string }) => ({
    emailAddress: emailAddress + cut.current,
    brand,
  });
  const { formRef, bind, check } = useCheckedFields({ form: 'emailCapture', fields, bodyOf });
  const { value, error, onChange } = bind('emailAddress');
  const isReady = useIsReady();
  useCutText(inputRef, (text) => {
    cut.current = text;
    void check(bodyOf(trimmed(fields)));
  });

  const send = async () => {
    const body = bodyOf(trimmed(fields));
    if (!(await check(body))) return;
    if (websiteRef.current?.value) {
      // A script filled what no person sees. It learns nothing from the answer (AMB-108).
      emit('problem.reported', { code: 'HONEYPOT', message: 'email capture' });
      return setStatus('success');
    }
    setStatus('sending');
    const alertFor = isAutoSaved({ signedIn, title }) ? search : undefined;
    const result = await subscribe(call, { ...body, alertFor });
    isDone.current = result.status !== 'danger';
    setStatus(result.status);
    setMayRetry(result.mayRetry ?? false);
    if (result.problem) emit('problem.reported', { code: 'EMAIL_CAPTURE', message: result.problem });
    if (!result.isAlertStored) return;
    rememberSubscription(search.url);
    emit('search.saved', { via: 'email' });
  };
  const isSubscribed = status === 'success' || status === 'warning';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // The second press of a double click, however fast the answer to the first was.
    if (isSending.current || isDone.current) return;
    isSending.current = true;
    void send().finally(() => (isSending.current = false));
  };
  const change = (text: string) => {
    isDone.current = false;
    cut.current = '';
    onChange(text);
    setStatus('editing');
  };
  const retry = () => {
    // Its own button goes with the alert: the focus stays in the form.
    formRef.current?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
    formRef.current?.requestSubmit();
  };
  return (
    <form
      ref={formRef}
      className={styles['form']}
      noValidate
      onSubmit={onSubmit}
      aria-busy={status === 'sending'}
    >
      <label htmlFor={id} className={styles['label']}>
        Email address
      </label>
      <div className={styles['row']}>
        <input
          ref={inputRef}
          id={id}
          className={styles['input']}
          type="email"
          name="emailAddress"
          autoComplete="email"
          maxLength={EMAIL_MAX_LENGTH}
          value={value}
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}error` : undefined}
          data-initial-focus={isFirst || undefined}
          onChange={(event) => change(event.target.value)}
        />
        {error && (
          <p id={`${id}error`} className={styles['error']}>
            {error}
          </p>
        )}
        {/* Not disabled while sending: the focus would be lost, and a second press does nothing. */}
        <Button type="submit" look="primary" disabled={!isReady} aria-disabled={status === 'sending'}>
          {isSubscribed ? 'Subscribed!' : 'Subscribe'}
        </Button>
      </div>
      <div className={styles['trap']} aria-hidden="true">
        <label htmlFor={`${id}website`}>Website</label>
        <input
          ref={websiteRef}
          id={`${id}website`}
          type="text"
          name="website"
          tabIndex={-1}
          autoComplete="off"
          defaultValue=""
        />
      </div>
      <div role="status">
        {status === 'success' && (
          <p className={styles['success']} data-alert="success">
            Thank you. We write when there is something new.
          </p>
        )}
        {status === 'warning' && (
          <p className={styles['warning']} data-alert="warning">
            This address gets our emails already. Nothing was sent twice.
          </p>
        )}
      </div>
      {status === 'danger' && (
        <div role="alert" className={styles['danger']} data-alert="danger">
          <p>{LIMIT_TEXT}</p>
          <p>
            <a href={signInLink(signInPath, currentPage(), 'signup')}>Create a free account</a> to save more.
            {mayRetry && ' If you have saved fewer, the failure was ours.'}
          </p>
          {mayRetry && <Button onClick={retry}>Try again</Button>}
        </div>
      )}
    </form>
  );
}
