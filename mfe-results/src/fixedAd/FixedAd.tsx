import { useEffect, useState, type ReactNode } from 'react';
import { Icon } from '@forecourt/shared-contracts/ui';
import { AdFrame } from '../ads/AdFrame.tsx';
import { fixedAdSize, screenOf } from '../ads/adSizes.ts';
import { useFixedAd } from './useFixedAd.ts';
import { useScrolledFar } from './useScrolledFar.ts';
import styles from './FixedAd.later.module.css';

/**
 * The ad at the bottom of the screen (B2-BOTTOM-10). It comes once the shopper
 * has scrolled and never again when it is closed. `onCover` hears how many px
 * it covers.
 */
export function FixedAd({ onCover }: { onCover: (height: number) => void }): ReactNode {
  const isFar = useScrolledFar();
  const [isClosed, setClosed] = useState(false);
  return isFar && !isClosed ? <AdAtBottom onCover={onCover} onClose={() => setClosed(true)} /> : null;
}

function AdAtBottom(props: { onCover: (height: number) => void; onClose: () => void }): ReactNode {
  const { onCover, onClose } = props;
  const [size] = useState(() => fixedAdSize(screenOf(window.innerWidth)));
  const { ad, isShown, onReady } = useFixedAd(size);
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
        <AdFrame key={ad.src} ad={ad} slot="fixed-bottom" onLoad={onReady} />
      </div>
      <button type="button" className={styles['close']} aria-label="Close advertisement" onClick={onClose}>
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
