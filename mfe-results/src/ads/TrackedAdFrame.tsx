import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { ImpressionTracker } from '../tracking/impressions.ts';
import { AdFrame } from './AdFrame.tsx';
import type { FilledAd } from './loadAd.ts';

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
