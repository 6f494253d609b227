import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { Loaded, useNear } from '../browser/lazyLoading.tsx';
import type { AdCreativeProps } from './AdFrame.tsx';
import { reservedHeights, type LeaderboardKind } from './adSizes.ts';
import styles from './AdPlace.module.css';

const loadCreative = () => import('./AdFrame.tsx').then(({ AdCreative }) => AdCreative);

/**
 * Space for one ad: reserved by the server, filled in the browser when it comes near, so that no result waits
 * for ads.
 */
function AdPlace(
  props: Omit<AdCreativeProps, 'width'> & { className: string; style?: CSSProperties },
): ReactNode {
  const { slot, size, className, style } = props;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    if (isNear) setWidth(place.current?.clientWidth || undefined);
  }, [isNear]);
  return (
    <div
      ref={place}
      className={`${styles['place']} ${className}`}
      style={style}
      data-ad={slot}
      data-ad-size={size}
    >
      <Loaded load={loadCreative} isLoadRequested={isNear} props={{ slot, size, width }} />
    </div>
  );
}

/** A wide ad with reserved height. */
export const LeaderboardAd = ({ slot, kind }: { slot: string; kind: LeaderboardKind }): ReactNode => (
  <AdPlace slot={slot} size={kind} className={`${styles['leaderboard']}`} style={reservedHeights(kind)} />
);

/** An ad in one tile. */
export const TileAd = ({ slot }: { slot: string }): ReactNode => (
  <AdPlace slot={slot} size="tile" className={`${styles['tile']}`} />
);

/** A tile with a parallax picture. */
export const PeekabooAd = (): ReactNode => (
  <AdPlace slot="peekaboo" size="tile" className={`${styles['tile']}`} />
);
