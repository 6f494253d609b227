import { useEffect, useId, useState, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Button } from '@forecourt/shared-contracts/ui';
import { CornerCard, type CornerPlace } from './CornerCard.tsx';
import styles from './CornerCard.later.module.css';

/** Invites to set a monthly budget (AMB-115). Gone for this visit once it is closed or followed. */
export function WalletNotification(place: CornerPlace): ReactNode {
  const emit = useEmit();
  const titleId = useId();
  const [isDone, setDone] = useState(false);
  useEffect(() => emit('page.tracked', { kind: 'impression', name: 'walletNotification' }), [emit]);
  if (isDone) return null;
  const open = () => {
    setDone(true);
    emit('page.tracked', { kind: 'click', name: 'walletNotification' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <CornerCard {...place} titleId={titleId} name="walletNotification" onClose={() => setDone(true)}>
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
