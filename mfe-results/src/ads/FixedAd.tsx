import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { AdFrame } from './AdFrame.tsx';
import { fixedAdSize, type AdSize, useScreen } from './adSizes.ts';
import { focusResults } from '../browser/resultsElements.ts';
import { useFixedAd } from './useFixedAd.ts';
import { useScrolledFar } from './fixedAdRules.ts';
import styles from './FixedAd.later.module.css';

/**
 * The ad at the bottom of the screen (B2-BOTTOM-10). It appears after scrolling and stays closed once closed.
 * When the screen class changes, another ad replaces it and the refresh count goes on (AMB-141). `onCover`
 * receives the covered height in px.
 */
export function FixedAd({ onCover }: { onCover: (height: number) => void }): ReactNode {
  const isFar = useScrolledFar();
  const [isClosed, setClosed] = useState(false);
  const screen = useScreen();
  const refreshesRef = useRef(0);
  const close = () => {
    setClosed(true);
    // The focused close button disappears with the ad.
    focusResults();
  };
  if (!isFar || isClosed) return null;
  return (
    <AdAtBottom
      key={screen}
      size={fixedAdSize(screen)}
      refreshesRef={refreshesRef}
      onCover={onCover}
      onClose={close}
    />
  );
}

function AdAtBottom(props: {
  size: AdSize;
  refreshesRef: RefObject<number>;
  onCover: (height: number) => void;
  onClose: () => void;
}): ReactNode {
  const { size, refreshesRef, onCover, onClose } = props;
  const { ad, isShown, onReady } = useFixedAd(size, refreshesRef);
  const [width, height] = size;
  useEffect(() => {
    if (!isShown) return undefined;
    onCover(height);
    return () => onCover(0);
  }, [isShown, height, onCover]);
  if (!ad) return null;
  return (
    <aside
      className={styles['bar']}
      style={{ blockSize: `${height}px` }}
      aria-label="Advertisement"
      data-ad="fixed-bottom"
      hidden={!isShown}
    >
      <div className={styles['creative']} style={{ inlineSize: `${width}px` }}>
        <AdFrame key={ad.src} ad={ad} onLoad={() => onReady(ad)} />
      </div>
      <button type="button" className={styles['close']} aria-label="Close advertisement" onClick={onClose}>
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
