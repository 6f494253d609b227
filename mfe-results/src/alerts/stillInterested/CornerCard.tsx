import type { ReactNode } from 'react';
import { STILL_INTERESTED_WIDTH } from '@forecourt/shared-contracts/rules';
import { Icon } from '@forecourt/shared-contracts/ui';
import { alertBottom } from './position.ts';
import styles from './CornerCard.later.module.css';

interface CornerCardProps {
  readonly adHeight: number;
  readonly lift: number;
  readonly titleId: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A card in the bottom right corner, above the fixed ad and the compare drawer (B2-ALERT-02, B9-STILL-03). */
export function CornerCard({ adHeight, lift, titleId, name, onClose, children }: CornerCardProps): ReactNode {
  const close = () => {
    onClose();
    // The button that had the focus is gone.
    document.getElementById('results-heading')?.focus({ preventScroll: true });
  };
  return (
    <aside
      className={styles['card']}
      style={{
        inlineSize: `${STILL_INTERESTED_WIDTH}px`,
        insetBlockEnd: `${alertBottom(0)}px`,
        // Moved, not placed anew: no layout shift when the ad comes or goes.
        translate: `0 ${alertBottom(0) - alertBottom(adHeight) - lift}px`,
      }}
      aria-labelledby={titleId}
      data-alert={name}
    >
      {children}
      <button type="button" className={styles['close']} aria-label="Dismiss" onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
