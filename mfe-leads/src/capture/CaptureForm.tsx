import { useId, type ReactNode } from 'react';
import { signInLink } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { EMAIL_MAX_LENGTH } from '@forecourt/upstream/entities';
import styles from './CaptureForm.module.css';
import { type CapturedSearch, useCapture } from './useCapture.ts';
import { useIsHydrated } from '../form/useIsHydrated.ts';
import { currentPage } from '../dialogs/signIn/currentPage.ts';

/** Shown for every failed subscription, an outage included. */
const LIMIT_TEXT = 'You have a maximum of 2 searches saved.';

type Capture = ReturnType<typeof useCapture>;

/** Email subscription form, the same in all its places. */
export function CaptureForm({ search, isFirst }: { search: CapturedSearch; isFirst?: boolean }): ReactNode {
  const capture = useCapture(search);
  const { formRef, inputRef, status, value, error, change, submit } = capture;
  const id = useId();
  const isHydrated = useIsHydrated();
  const isSubscribed = status === 'success' || status === 'warning';
  return (
    <form
      ref={formRef}
      className={styles['form']}
      noValidate
      onSubmit={submit}
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
        {/* Not disabled while sending, or the button would lose the focus; a second press is a no-op. */}
        <Button type="submit" look="primary" disabled={!isHydrated} aria-disabled={status === 'sending'}>
          {isSubscribed ? 'Subscribed!' : 'Subscribe'}
        </Button>
      </div>
      <Honeypot capture={capture} />
      <CaptureAlert capture={capture} />
    </form>
  );
}

/** Hidden from people; a bot that fills it is ignored. */
function Honeypot({ capture: { honeypotRef } }: { capture: Capture }): ReactNode {
  const id = useId();
  return (
    <div className={styles['trap']} aria-hidden="true">
      <label htmlFor={id}>Website</label>
      <input
        ref={honeypotRef}
        id={id}
        type="text"
        name="website"
        tabIndex={-1}
        autoComplete="off"
        defaultValue=""
      />
    </div>
  );
}

function CaptureAlert({ capture: { status, canRetry, hasAlert, retry } }: { capture: Capture }): ReactNode {
  const signInPath = usePageState(({ session }) => session.signInPath);
  return (
    <>
      <div role="status">
        {status === 'success' && (
          <p className={styles['success']} data-alert="success">
            {hasAlert ? 'Thanks! We’ll email you when new matches arrive.' : 'Thanks! You’re on the list.'}
          </p>
        )}
        {status === 'warning' && (
          <p className={styles['warning']} data-alert="warning">
            You’re already subscribed with this email.
          </p>
        )}
      </div>
      {status === 'danger' && (
        <div role="alert" className={styles['danger']} data-alert="danger">
          <p>{LIMIT_TEXT}</p>
          <p>
            <a href={signInLink(signInPath, currentPage(), 'signup')}>Create a free account</a> to save more.
            {canRetry && ' If you have fewer, something went wrong on our end. Please try again.'}
          </p>
          {canRetry && <Button onClick={retry}>Try again</Button>}
        </div>
      )}
    </>
  );
}
