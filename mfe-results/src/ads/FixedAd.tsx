import { useEffect, useRef, useState, type ReactNode, type RefObject, useCallback } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { Icon } from '@forecourt/slots/ui';
import { AdFrame, adRequest, loadAd, type LoadedAd } from './AdFrame.tsx';
import { fixedAdSize, type AdSize, useScreen } from './adSizes.ts';
import { focusResults } from '../browser/resultCards.ts';
import styles from './FixedAd.later.module.css';
import {
  AD_READY_POLL_MS,
  AD_READY_TIMEOUT_MS,
  FIXED_AD_REFRESH_MS,
  FIXED_AD_REFRESH_LIMIT_FALLBACK,
  FIXED_AD_SCROLL_PERCENT,
  SCROLL_THROTTLE_MS,
} from '../constants.ts';
import { cornerButtonClass } from '../browser/cornerButtonClass.ts';

/** Scroll position in px. */
export interface ScrollPosition {
  readonly scrollY: number;
  readonly scrollHeight: number;
  readonly innerHeight: number;
}

/** Whether the page is scrolled past the percentage. */
export function isPastScroll({ scrollY, scrollHeight, innerHeight }: ScrollPosition): boolean {
  const scrollable = scrollHeight - innerHeight;
  return scrollable > 0 && (scrollY / scrollable) * 100 > FIXED_AD_SCROLL_PERCENT;
}

/** The configured number of refreshes; the fallback unless it is a positive integer. */
export const refreshLimit = (configured: unknown): number =>
  typeof configured === 'number' && Number.isInteger(configured) && configured > 0
    ? configured
    : FIXED_AD_REFRESH_LIMIT_FALLBACK;

/** Throttles `run`: runs immediately, then at most every `ms`, and once after the last call. */
function throttled(run: () => void, ms: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const open = () => {
    timer = undefined;
    if (!isWaiting) return;
    isWaiting = false;
    call();
  };
  function call() {
    if (timer !== undefined) {
      isWaiting = true;
      return;
    }
    timer = setTimeout(open, ms);
    run();
  }
  return { call, cancel: () => clearTimeout(timer) };
}

/** Whether the shopper has scrolled past the fixed ad's percentage; checked every 100 ms at most. */
function useScrolledFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    if (isFar) return undefined;
    const check = throttled(() => {
      const { scrollY, innerHeight } = window;
      const { scrollHeight } = document.documentElement;
      if (isPastScroll({ scrollY, innerHeight, scrollHeight })) setFar(true);
    }, SCROLL_THROTTLE_MS);
    check.call();
    window.addEventListener('scroll', check.call, { passive: true });
    return () => {
      window.removeEventListener('scroll', check.call);
      check.cancel();
    };
  }, [isFar]);
  return isFar;
}

const SLOT = 'fixed-bottom';
const FAILURE = 'Fixed Ad Failed to load';

interface FixedAdState {
  /** The newest ad; hidden until its frame has loaded. */
  readonly ad: LoadedAd | undefined;
  readonly isShown: boolean;
  /** Called when a frame has loaded its ad. */
  readonly onReady: (ad: LoadedAd) => void;
}

/**
 * Loads the fixed ad: polls every 300 ms until it is ready, gives up after 10 s with one log line, and refreshes it
 * every 30 s as often as the brand allows.
 *
 * @param size of the current screen; mount one component per size
 * @param refreshesRef refreshes so far, across all sizes
 */
function useFixedAd(size: AdSize, refreshesRef: RefObject<number>): FixedAdState {
  const { call, emit } = useSlotEnvironment();
  const pageData = usePageState(({ search }) => search.pageData);
  const limit = usePageState(({ session }) => refreshLimit(BRANDS[session.brand].fixedAdRefreshLimit));
  const [ad, setAd] = useState<LoadedAd>();
  const [isShown, setShown] = useState(false);
  const isReady = useRef(false);
  const [loadedAd, setLoaded] = useState<LoadedAd>();
  const request = useRef((_refresh: number, _signal: AbortSignal) => Promise.resolve());
  useEffect(() => {
    request.current = async (refresh, signal) => {
      const nextAd = await loadAd(call, adRequest(SLOT, size, refresh, pageData), signal);
      if (nextAd && !signal.aborted) setAd(nextAd);
    };
  });
  useEffect(() => {
    const controller = new AbortController();
    // The timeout below handles a failed load.
    request.current(refreshesRef.current, controller.signal).catch(() => {});
    const stop = () => {
      clearInterval(poll);
      clearTimeout(end);
    };
    const check = () => {
      if (!isReady.current) return;
      stop();
      setShown(true);
    };
    const poll = setInterval(check, AD_READY_POLL_MS);
    const end = setTimeout(() => {
      check();
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
      // Hidden tabs are not refreshed.
      if (document.visibilityState === 'hidden') return;
      refreshesRef.current += 1;
      // The current ad stays until the next one has loaded.
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
  // Counts as seen when shown, and again after each refresh.
  useEffect(() => {
    if (isShown && loadedAd) emit('page.tracked', { kind: 'impression', name: 'ad', tile: SLOT });
  }, [isShown, loadedAd, emit]);
  const onReady = useCallback((newest: LoadedAd) => {
    isReady.current = true;
    setLoaded(newest);
  }, []);
  return { ad, isShown, onReady };
}

/** Whether another ad is in the window: there are never two at once. */
function useOtherAdInView(): boolean {
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    const inView = new Set<Element>();
    const views = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      setIsInView(inView.size > 0);
    });
    const watch = () => {
      // Observing an element twice has no effect.
      for (const place of document.querySelectorAll(`[data-ad]:not([data-ad="${SLOT}"])`))
        views.observe(place);
    };
    watch();
    const list = document.getElementById('listings');
    const pages = new MutationObserver(watch);
    if (list) pages.observe(list, { childList: true, subtree: true });
    return () => {
      views.disconnect();
      pages.disconnect();
    };
  }, []);
  return isInView;
}

/**
 * The ad at the bottom of the screen. It appears after scrolling and stays closed once closed.
 * When the screen class changes, another ad replaces it and the refresh count goes on. `onCover`
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
  const { ad, isShown: isReady, onReady } = useFixedAd(size, refreshesRef);
  const isOtherInView = useOtherAdInView();
  const isShown = isReady && !isOtherInView;
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
      <button
        type="button"
        className={cornerButtonClass(styles['close'])}
        aria-label="Close advertisement"
        onClick={onClose}
      >
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
