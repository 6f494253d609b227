import { useEffect, useId, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { focusResults } from '../../header/focusResults.ts';
import { CornerCard, type CornerPlace } from './CornerCard.tsx';
import styles from './CornerCard.later.module.css';

/** Invites to set a monthly budget (AMB-115). `onDone`: it was closed or followed. */
export function WalletNotification({
  onDone,
  ...place
}: CornerPlace & { readonly onDone: () => void }): ReactNode {
  const emit = useEmit();
  const titleId = useId();
  useEffect(() => emit('page.tracked', { kind: 'impression', name: 'walletNotification' }), [emit]);
  const open = () => {
    onDone();
    // The dialog gives the focus back there: this button is gone by then.
    focusResults();
    emit('page.tracked', { kind: 'click', name: 'walletNotification' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <CornerCard {...place} titleId={titleId} name="walletNotification" onClose={onDone}>
      <div className={styles['words']}>
        <h2 id={titleId} className={styles['title']}>
          My wallet
        </h2>
        <p>Set a monthly budget and see at once which vehicles fit it.</p>
        <Button look="primary" className={styles['action']} onClick={open}>
          Set budget
        </Button>
      </div>
    </CornerCard>
  );
}
