import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '@forecourt/slots/ui';
import { focusResults } from '../browser/resultCards.ts';
import { alertBottom } from './findVehicle.ts';
import styles from './CornerCard.later.module.css';
import { STILL_INTERESTED_WIDTH } from '../constants.ts';
import { cornerButtonClass } from '../browser/cornerButtonClass.ts';

/** Placement of the card. */
export interface CornerPlacement {
  /** px covered by the fixed ad. */
  readonly adHeight: number;
  /** px of the compare drawer above the ad. */
  readonly bottomOffset: number;
  /** Receives the px that the card covers above the ad and the drawer; 0 when it closes. */
  readonly onCover: (height: number) => void;
}

interface CornerCardProps extends CornerPlacement {
  readonly title: string;
  /** URL of a picture before the text. */
  readonly pictureUrl?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A card in the bottom right corner, above the fixed ad and the compare drawer. */
export function CornerCard(props: CornerCardProps): ReactNode {
  const { adHeight, bottomOffset, onCover, title, pictureUrl, onClose, children } = props;
  const titleId = useId();
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
        // Translated, so that a changed ad height causes no layout shift.
        translate: `0 ${alertBottom(0) - alertBottom(adHeight) - bottomOffset}px`,
      }}
      aria-labelledby={titleId}
    >
      {pictureUrl && <img className={styles['picture']} src={pictureUrl} alt="" width={112} height={84} />}
      <div className={styles['words']}>
        <h2 id={titleId} className={styles['title']}>
          {title}
        </h2>
        {children}
      </div>
      <button
        type="button"
        className={cornerButtonClass(styles['close'])}
        aria-label="Dismiss"
        onClick={close}
      >
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
