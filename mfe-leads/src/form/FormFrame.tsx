import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '@forecourt/slots/ui';
import styles from './FormFrame.module.css';
import type { Form } from './useForm.ts';
import { useIsHydrated } from './useIsHydrated.ts';

/** Renders a form: its fields, the last failure, a note and the submit button, or `confirmation` once it was sent. */
export function FormFrame<Name extends string>(props: {
  form: Form<Name>;
  children: ReactNode;
  send?: string;
  note?: ReactNode;
  /** Alternative to offer when sending fails, e.g. a phone number. */
  alternative?: ReactNode;
  /** In a dialog the submit button stays in view, however long the form is. */
  isSticky?: boolean;
  /** Confirmation; without it the form stays for the next submission. */
  confirmation?: ReactNode;
  /** Closes the dialog around the form. */
  onClose?: () => void;
}): ReactNode {
  const { form, children, send = 'Send', note, alternative, isSticky = true, confirmation, onClose } = props;
  const { status, failure, formRef, submit } = form;
  const isHydrated = useIsHydrated();
  if (status === 'sent' && confirmation !== undefined)
    return <SentMessage onClose={onClose}>{confirmation}</SentMessage>;
  return (
    <form
      ref={formRef}
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      aria-busy={status === 'sending'}
    >
      {children}
      <div className={`${styles['foot']} ${isSticky ? styles['sticky'] : ''}`}>
        {failure && (
          <p role="alert" className={styles['failure']}>
            {failure}
            {alternative}
          </p>
        )}
        <div className={styles['actions']}>
          <p className={styles['note']}>{note}</p>
          {/* Disabled until hydration: the browser would put the fields into the URL. Not disabled while sending,
              or the button would lose the focus; a second press is a no-op. */}
          <Button type="submit" look="primary" disabled={!isHydrated} aria-disabled={status === 'sending'}>
            {status === 'sending' ? 'Sending…' : failure ? 'Try again' : send}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Replaces a sent form. It takes the focus from the removed form, so screen readers announce it. */
function SentMessage({
  children,
  onClose,
}: {
  children: ReactNode;
  onClose?: (() => void) | undefined;
}): ReactNode {
  const messageRef = useRef<HTMLParagraphElement>(null);
  useEffect(() => messageRef.current?.focus(), []);
  return (
    <div className={styles['form']}>
      <p ref={messageRef} tabIndex={-1} role="status" className={styles['success']}>
        {children}
      </p>
      {onClose && (
        <div className={styles['actions']}>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      )}
    </div>
  );
}
