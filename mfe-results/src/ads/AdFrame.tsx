import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { FilledAd } from './loadAd.ts';
import styles from './AdFrame.later.module.css';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { ImpressionTracker } from '../browser/impressions.ts';
/** Links of a creative open beside the page; it runs no script and sees nothing of the page (AMB-193). */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A creative in its sandboxed frame; one frame shows one creative. */
export function AdFrame({
  ad,
  onLoad,
  ref,
}: {
  ad: FilledAd;
  onLoad: () => void;
  ref?: Ref<HTMLIFrameElement>;
}): ReactNode {
  const { src, width, height, advertiser } = ad;
  return (
    <iframe
      ref={ref}
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

/** A creative that is reported once, when it has loaded and half of it has come into view (AMB-177). */
export function TrackedAdFrame({ ad, slot }: { ad: FilledAd; slot: string }): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(
    () =>
      isLoaded && frame.current
        ? tracker.watch(frame.current, { kind: 'impression', name: 'ad', tile: slot })
        : undefined,
    [isLoaded, tracker, slot],
  );
  return <AdFrame ref={frame} ad={ad} onLoad={() => setLoaded(true)} />;
}
