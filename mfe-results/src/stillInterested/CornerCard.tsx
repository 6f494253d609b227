import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { focusResults } from '../browser/resultsElements.ts';
import { alertBottom } from './alertRules.ts';
import styles from './CornerCard.later.module.css';
import { STILL_INTERESTED_WIDTH } from '../constants.ts';

/** Placement of the card. */
export interface CornerPlace {
  /** px covered by the fixed ad. */
  readonly adHeight: number;
  /** px of the compare drawer above the ad. */
  readonly lift: number;
  /** Receives the px that the card covers above them; 0 when it closes. */
  readonly onCover: (height: number) => void;
}

interface CornerCardProps extends CornerPlace {
  readonly titleId: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A card in the bottom right corner, above the fixed ad and the compare drawer (B2-ALERT-02, B9-STILL-03). */
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
        // Translated, so that the ad causes no layout shift.
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
