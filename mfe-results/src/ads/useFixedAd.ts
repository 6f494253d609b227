import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { AD_READY_POLL_MS, AD_READY_TIMEOUT_MS, FIXED_AD_REFRESH_MS } from '../constants.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { adRequest, loadAd, type FilledAd } from './loadAd.ts';
import type { AdSize } from './adSizes.ts';
import { refreshLimit } from './fixedAdRules.ts';

const SLOT = 'fixed-bottom';
const FAILURE = 'Fixed Ad Failed to load';

interface FixedAdState {
  /** The newest ad whose creative is there; its frame loads before it may be seen. */
  readonly ad: FilledAd | undefined;
  readonly isShown: boolean;
  /** Its frame has loaded an ad. */
  readonly onReady: (ad: FilledAd) => void;
}

/**
 * Asks for the fixed ad, looks every 300 ms whether it is ready, gives up after
 * 10 s with one line in the log (B8-ERR-12, B9-FIXED-08), and refreshes it
 * every 30 s while it is on show, as often as the brand allows (B9-FIXED-01, B9-FIXED-02).
 *
 * @param size that of the screen; a component of its own for each
 * @param refreshesRef refreshes so far, of all sizes
 */
export function useFixedAd(size: AdSize, refreshesRef: RefObject<number>): FixedAdState {
  const { call, emit } = useSlotEnvironment();
  const pageData = usePageState(({ search }) => search.pageData);
  const limit = usePageState(({ session }) => refreshLimit(BRANDS[session.brand].fixedAdRefreshLimit));
  const [ad, setAd] = useState<FilledAd>();
  const [isShown, setShown] = useState(false);
  const isReady = useRef(false);
  const [loaded, setLoaded] = useState<FilledAd>();
  const request = useRef((_refresh: number, _signal: AbortSignal) => Promise.resolve());
  useEffect(() => {
    request.current = async (refresh, signal) => {
      const filled = await loadAd(call, adRequest(SLOT, size, refresh, pageData), signal);
      if (filled && !signal.aborted) setAd(filled);
    };
  });
  useEffect(() => {
    const controller = new AbortController();
    // Nothing comes: that is what the wait below is for.
    request.current(refreshesRef.current, controller.signal).catch(() => {});
    const stop = () => {
      clearInterval(poll);
      clearTimeout(end);
    };
    const look = () => {
      if (!isReady.current) return;
      stop();
      setShown(true);
    };
    const poll = setInterval(look, AD_READY_POLL_MS);
    const end = setTimeout(() => {
      look();
      if (isReady.current) return;
      stop();
      controller.abort();
      setAd(undefined);
      emit('problem.reported', { code: 'FIXED_AD_FAILED', message: FAILURE });
    }, AD_READY_TIMEOUT_MS);
    return () => {
      stop();
      controller.abort();
    };
  }, [emit, refreshesRef]);
  useEffect(() => {
    if (!isShown || refreshesRef.current >= limit) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setInterval(() => {
      // Nobody looks at a hidden tab.
      if (document.visibilityState === 'hidden') return;
      refreshesRef.current += 1;
      // What is on show stays until another one is there.
      request.current(refreshesRef.current, signal).catch((error: unknown) => {
        if (!signal.aborted) emit('problem.reported', { code: 'AD_NOT_LOADED', message: String(error) });
      });
      if (refreshesRef.current >= limit) clearInterval(timer);
    }, FIXED_AD_REFRESH_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [isShown, limit, emit, refreshesRef]);
  // It is seen when it is shown, each refresh as soon as it has loaded (AMB-177).
  useEffect(() => {
    if (isShown && loaded) emit('page.tracked', { kind: 'impression', name: 'ad', tile: SLOT });
  }, [isShown, loaded, emit]);
  const onReady = useCallback((newest: FilledAd) => {
    isReady.current = true;
    setLoaded(newest);
  }, []);
  return { ad, isShown, onReady };
}
