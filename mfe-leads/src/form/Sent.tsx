import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '@forecourt/shared-contracts/ui';
import styles from './form.module.css';

/** What stands where a form was that is sent. The form is gone with its focus: the message takes it, and so is read out. */
export function Sent({
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
