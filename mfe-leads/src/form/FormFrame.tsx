import type { ReactNode } from 'react';
import { Button } from '@forecourt/shared-contracts/ui';
import styles from './form.module.css';
import { Sent } from './Sent.tsx';
import type { Form } from './useForm.ts';
import { useIsReady } from './useIsReady.ts';

/**
 * A form as it is drawn: its fields, what went wrong, a note, and the one
 * button that sends; once it is sent, `sent` in its place.
 */
export function FormFrame<Name extends string>(props: {
  form: Form<Name>;
  children: ReactNode;
  send?: string;
  note?: ReactNode;
  /** Another way, for when sending fails. */
  otherWay?: ReactNode;
  /** In a dialog sending is always in sight, however long the form is on a small screen. */
  isSticky?: boolean;
  /** Says that it was sent; left out, the form stays for the next sending. */
  sent?: ReactNode;
  /** Closes the dialog around the form. */
  onClose?: () => void;
}): ReactNode {
  const { form, children, send = 'Send', note, otherWay, isSticky = true, sent, onClose } = props;
  const { status, failure, formRef, submit } = form;
  const isReady = useIsReady();
  if (status === 'sent' && sent !== undefined) return <Sent onClose={onClose}>{sent}</Sent>;
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
            {otherWay}
          </p>
        )}
        <div className={styles['actions']}>
          <p className={styles['note']}>{note}</p>
          {/* Before the code is there the browser would send the form itself, with all its words in the address.
              Not disabled while sending, or the focus would be lost; a second press does nothing. */}
          <Button type="submit" look="primary" disabled={!isReady} aria-disabled={status === 'sending'}>
            {status === 'sending' ? 'Sending…' : failure ? 'Try again' : send}
          </Button>
        </div>
      </div>
    </form>
  );
}
