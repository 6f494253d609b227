import type { ReactNode } from 'react';
import { Button } from '@forecourt/shared-contracts/ui';
import styles from './form.module.css';
import type { FormStatus } from './useForm.ts';

/** The end of a form: what went wrong, a note, and the one button that sends. */
export function Foot(props: {
  status: FormStatus;
  /** Says that nothing was sent, and what becomes of it. */
  failure: ReactNode;
  note?: ReactNode;
  send?: string;
  /** In a dialog sending is always in sight, however long the form is on a small screen. */
  isSticky?: boolean;
}): ReactNode {
  const { status, failure, note, send = 'Send', isSticky = true } = props;
  const hasFailed = status === 'unreachable' || status === 'refused';
  return (
    <div className={`${styles['foot']} ${isSticky ? styles['sticky'] : ''}`}>
      {hasFailed && (
        <p role="alert" className={styles['failure']}>
          {failure}
        </p>
      )}
      <div className={styles['actions']}>
        <p className={styles['note']}>{note}</p>
        {/* Not disabled while sending, or the focus would be lost; a second press does nothing. */}
        <Button type="submit" look="primary" aria-disabled={status === 'sending'}>
          {status === 'sending' ? 'Sending…' : hasFailed ? 'Try again' : send}
        </Button>
      </div>
    </div>
  );
}
