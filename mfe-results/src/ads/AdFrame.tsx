import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { LoadedAd } from './loadAd.ts';
import styles from './AdFrame.later.module.css';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { ImpressionTracker } from '../browser/impressions.ts';
/** Creatives run no scripts and cannot access the page; their links open new tabs (AMB-193). */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A creative in a sandboxed frame; one frame shows one creative. */
export function AdFrame({
  ad,
  onLoad,
  ref,
}: {
  ad: LoadedAd;
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

/** A creative that reports one impression, once it has loaded and half of it is in view (AMB-177). */
export function TrackedAdFrame({ ad, slot }: { ad: LoadedAd; slot: string }): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((impression) => emit('page.tracked', impression)));
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
