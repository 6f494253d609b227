import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import styles from './SpinMarker.module.css';

/** Opens the 360° view of a vehicle (A3-LISTING-08); a label without JavaScript. */
export function SpinMarker({ listingId, title }: { listingId: string; title: string }): ReactNode {
  const emit = useEmit();
  const open = () => {
    emit('page.tracked', { kind: 'click', name: 'spin', listingId });
    emit('listing.spinRequested', { listingId, title });
  };
  return (
    <span className={styles['place']}>
      <button type="button" className={styles['marker']} aria-haspopup="dialog" onClick={open}>
        <Icon name="turn" size={16} />
        <span>
          360° view
          <VisuallyHidden>{` of ${title}`}</VisuallyHidden>
        </span>
      </button>
    </span>
  );
}
