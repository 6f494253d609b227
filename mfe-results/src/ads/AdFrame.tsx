import { useEffect, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import type { FilledAd } from './loadAd.ts';
import styles from './AdPlace.module.css';

/** Links of a creative open beside the page; it runs no script and sees nothing of the page (AMB-193). */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A creative in its sandboxed frame. */
export function AdFrame({
  ad,
  slot,
  onLoad,
}: {
  ad: FilledAd;
  slot: string;
  onLoad?: () => void;
}): ReactNode {
  const emit = useEmit();
  const { src, width, height, advertiser } = ad;
  useEffect(() => emit('page.tracked', { kind: 'impression', name: 'ad', tile: slot }), [emit, slot, src]);
  return (
    <iframe
      className={styles['frame']}
      title={`Advertisement of ${advertiser}`}
      src={src}
      width={width}
      height={height}
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={onLoad}
    />
  );
}
