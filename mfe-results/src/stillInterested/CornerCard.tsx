import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { focusResults } from '../browser/resultsElements.ts';
import { alertBottom } from './alertRules.ts';
import styles from './CornerCard.later.module.css';
import { STILL_INTERESTED_WIDTH } from '../constants.ts';

/** Where the card stands, and who makes room for it. */
export interface CornerPlace {
  /** px covered by the fixed ad. */
  readonly adHeight: number;
  /** px that the compare drawer stands above the ad. */
  readonly lift: number;
  /** Hears how many px the card covers above them; 0 when it goes. */
  readonly onCover: (height: number) => void;
}

interface CornerCardProps extends CornerPlace {
  readonly titleId: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A card in the bottom right corner, above the fixed ad and the compare drawer
 * (B2-ALERT-02, B9-STILL-03). What else floats there stands above it.
 */
export function CornerCard(props: CornerCardProps): ReactNode {
  const { adHeight, lift, onCover, titleId, name, onClose, children } = props;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => onCover(alertBottom(0) + element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      onCover(0);
    };
  }, [onCover]);
  const close = () => {
    onClose();
    focusResults();
  };
  return (
    <aside
      ref={card}
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
