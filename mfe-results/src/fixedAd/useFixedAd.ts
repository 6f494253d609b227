import { useCallback, useEffect, useRef, useState } from 'react';
import {
  AD_READY_POLL_MS,
  AD_READY_TIMEOUT_MS,
  FIXED_AD_REFRESH_LIMIT,
  FIXED_AD_REFRESH_MS,
} from '@forecourt/shared-contracts/rules';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import type { FilledAd } from '../ads/AdFrame.tsx';
import { adRequest } from '../ads/adRequest.ts';
import type { AdSize } from '../ads/adSizes.ts';
import { refreshLimit } from './rules.ts';

const SLOT = 'fixed-bottom';
const FAILURE = 'Fixed Ad Failed to load';

interface FixedAdState {
  /** The newest creative; it is fetched before it may be seen. */
  readonly ad: FilledAd | undefined;
  readonly isShown: boolean;
  /** Its frame has loaded. */
  readonly onReady: () => void;
}

/**
 * Asks for the fixed ad, looks every 300 ms whether it is ready, gives up after
 * 10 s with one line in the log (B8-ERR-12, B9-FIXED-08), and refreshes it
 * every 30 s while it is on show (B9-FIXED-01, B9-FIXED-02).
 */
export function useFixedAd(size: AdSize, configuredLimit: unknown = FIXED_AD_REFRESH_LIMIT): FixedAdState {
  const { call, emit } = useSlotEnvironment();
  const pageData = usePageState(({ search }) => search.pageData);
  const [ad, setAd] = useState<FilledAd>();
  const [isShown, setShown] = useState(false);
  const isReady = useRef(false);
  const request = useRef((_refresh: number) => {});
  useEffect(() => {
    request.current = (refresh) =>
      void call('ad', adRequest(SLOT, size, refresh, pageData)).then(
        (answer) => 'src' in answer && setAd(answer),
        // Nothing comes: that is what the wait below is for.
        () => {},
      );
  });
  useEffect(() => {
    request.current(0);
    const since = performance.now();
    const poll = setInterval(() => {
      if (isReady.current) setShown(true);
      else if (performance.now() - since < AD_READY_TIMEOUT_MS) return;
      else emit('problem.reported', { code: 'FIXED_AD_FAILED', message: FAILURE });
      clearInterval(poll);
    }, AD_READY_POLL_MS);
    return () => clearInterval(poll);
  }, [emit]);
  useEffect(() => {
    if (!isShown) return undefined;
    const limit = refreshLimit(configuredLimit);
    let refresh = 0;
    const timer = setInterval(() => {
      // Nobody looks at a hidden tab.
      if (document.visibilityState === 'hidden') return;
      refresh += 1;
      request.current(refresh);
      if (refresh >= limit) clearInterval(timer);
    }, FIXED_AD_REFRESH_MS);
    return () => clearInterval(timer);
  }, [isShown, configuredLimit]);
  const onReady = useCallback(() => {
    isReady.current = true;
  }, []);
  return { ad, isShown, onReady };
}
