import type { ReactNode } from 'react';
import { selectFlag } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import styles from './PaymentsToggle.module.css';

/** Shows payments on the cards; turning it on opens the wallet dialog. */
export function PaymentsToggle(): ReactNode {
  const emit = useEmit();
  const hasWallet = usePageState(selectFlag('wallet'));
  const showsPayments = usePageState(({ session }) => session.showsPayments);
  if (!hasWallet) return null;
  return (
    <label className={styles['row']}>
      <span className={styles['label']}>Show Payments</span>
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox reports its own state
        role="switch"
        className={styles['switch']}
        checked={showsPayments}
        onChange={(event) => {
          const show = event.target.checked;
          emit('payments.showRequested', { show });
          if (show) emit('dialog.requested', { name: 'wallet' });
        }}
      />
    </label>
  );
}
