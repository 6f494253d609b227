import { type ReactNode, useEffect } from 'react';
import { useEmit } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { focusResults } from '../browser/resultCards.ts';
import styles from './WalletNotification.later.module.css';
import { type CornerPlacement, CornerCard } from './CornerCard.tsx';

/** Invites the shopper to set a monthly budget. `onDone`: closed or followed. */
export function WalletNotification({
  onDone,
  ...placement
}: CornerPlacement & { readonly onDone: () => void }): ReactNode {
  const emit = useEmit();
  useEffect(() => emit('page.tracked', { kind: 'impression', name: 'walletNotification' }), [emit]);
  const open = () => {
    onDone();
    // The dialog returns the focus to the heading, because this button is gone by then.
    focusResults();
    emit('page.tracked', { kind: 'click', name: 'walletNotification' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <CornerCard {...placement} title="Your budget" onClose={onDone}>
      <p>Set a monthly budget to see which vehicles fit it.</p>
      <Button look="primary" className={styles['action']} onClick={open}>
        Set budget
      </Button>
    </CornerCard>
  );
}
