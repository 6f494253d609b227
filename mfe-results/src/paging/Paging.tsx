import {
  useCallback,
  useEffect,
  useRef,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useState,
} from 'react';
import { selectFlag } from '@forecourt/search/state';
import { usePageState, useEmit } from '@forecourt/slots';
import { buttonClass, isPlainClick } from '@forecourt/slots/ui';
import { nextRecord, pageUrl, selectSearch } from '../search/SearchLink.tsx';
import styles from './Paging.module.css';
import { INFINITE_SCROLL_MARGIN } from '../constants.ts';
import { whenNear } from '../browser/lazyLoading.tsx';

/** 'See More Results' loads the next page below; it is a link to it, for crawlers and without JavaScript. */
export function Paging({
  tileCount,
  isPending,
  isGrowing,
  isEndless,
  listRef,
  endRef,
}: {
  tileCount: number;
  /** Loaded vehicles are not on screen yet, so the end of the list may still move. */
  isPending: boolean;
  /** The placeholders of the next page are shown above. */
  isGrowing: boolean;
  /** Infinite scroll is on. */
  isEndless: boolean;
  listRef: RefObject<HTMLElement | null>;
  /** Marker at the end of the list. */
  endRef: RefObject<HTMLElement | null>;
}): ReactNode {
  const search = usePageState(selectSearch);
  const next = nextRecord(search);
  const requestNextPage = useNextPages(endRef, {
    canRequest: next !== undefined && search.status === 'ready',
    isPending,
    isEndless,
  });
  const { focusFirstNew, takeFocus, moreRef } = useFocusFirstNew(tileCount, isGrowing, listRef);
  const showMore = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    focusFirstNew();
    requestNextPage();
  };
  return (
    <>
      {/* A separate element while loading, because moving the link with the placeholders would be a layout shift. */}
      {isGrowing && (
        <div className={styles['paging']}>
          <p ref={takeFocus} className={styles['loading']} role="status" tabIndex={-1}>
            Loading more results...
          </p>
        </div>
      )}
      {/* A failed search has no next page. */}
      {next !== undefined && (
        <div className={styles['paging']} hidden={isGrowing || isEndless || search.status === 'failed'}>
          <a
            ref={moreRef}
            rel="next"
            href={pageUrl(search.url, search.criteria, next)}
            className={buttonClass('secondary', styles['more'])}
            onClick={showMore}
          >
            See More Results
          </a>
        </div>
      )}
    </>
  );
}

/** The link of the first vehicle after `tiles` tiles; skips rows and tiles without a vehicle. */
function firstNewLink(list: HTMLElement | null, tiles: number): HTMLElement | null {
  const items = [...(list?.querySelectorAll(':scope > * > * > [data-tile]') ?? [])].filter(
    (item) => !item.matches('[data-tile=adRow], [data-tile=carousel]'),
  );
  for (const item of items.slice(tiles)) {
    const link = item.querySelector<HTMLElement>('[data-listing] h3 a');
    if (link) return link;
  }
  return null;
}

interface NextFocus {
  /** Requests focus for the first vehicle of the next page. */
  readonly focusFirstNew: () => void;
  /** Ref of the loading message: it takes the focus while the link is hidden. */
  readonly takeFocus: (element: HTMLElement | null) => void;
  /** Ref of the link: gets the focus back when no page was loaded. */
  readonly moreRef: RefObject<HTMLAnchorElement | null>;
}

/** Moves the focus to the first new vehicle without scrolling; the link itself reappears below the new page. */
function useFocusFirstNew(
  tileCount: number,
  isGrowing: boolean,
  listRef: RefObject<HTMLElement | null>,
): NextFocus {
  const tileCountAtRequest = useRef<number | null>(null);
  const loadingMessage = useRef<HTMLElement | null>(null);
  const moreRef = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const count = tileCountAtRequest.current;
    if (count === null || (isGrowing && tileCount <= count)) return;
    tileCountAtRequest.current = null;
    // The shopper has moved the focus elsewhere.
    const { activeElement } = document;
    if (activeElement !== loadingMessage.current && activeElement !== document.body) return;
    const next = tileCount > count ? firstNewLink(listRef.current, count) : moreRef.current;
    next?.focus({ preventScroll: true });
  }, [tileCount, isGrowing, listRef]);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    loadingMessage.current = element;
    if (element && tileCountAtRequest.current !== null) element.focus({ preventScroll: true });
  }, []);
  return {
    focusFirstNew: () => {
      tileCountAtRequest.current = tileCount;
    },
    takeFocus,
    moreRef,
  };
}

/** px; higher than any page. */
const PAST_END = 1_000_000;

interface NextPages {
  readonly canRequest: boolean;
  readonly isPending: boolean;
  /** Infinite scroll is on. */
  readonly isEndless: boolean;
}

/**
 * Requests the next page: on demand, and with infinite scroll when the end of the list comes near
 * or has been passed, also by a jump. Never while a search or page is loading.
 */
function useNextPages(
  /** Marker at the end of the list. */
  end: RefObject<Element | null>,
  { canRequest, isPending, isEndless }: NextPages,
): () => void {
  const emit = useEmit();
  const requestNextPage = useCallback(() => {
    if (canRequest) emit('search.moreRequested', {});
  }, [canRequest, emit]);
  useEffect(() => {
    const { current } = end;
    if (!current || !isEndless || isPending || !canRequest) return undefined;
    const { style } = document.documentElement;
    const request = () => {
      // After a jump past the end, the view stays where it is and the new vehicles come into it, instead of pushing it on.
      if (current.getBoundingClientRect().top < 0) style.overflowAnchor = 'none';
      requestNextPage();
    };
    const stop = whenNear(current, request, `${PAST_END}px 0px ${INFINITE_SCROLL_MARGIN}px 0px`);
    style.overflowAnchor = '';
    return stop;
  }, [end, isEndless, isPending, canRequest, requestNextPage]);
  useEffect(
    () => () => {
      document.documentElement.style.overflowAnchor = '';
    },
    [],
  );
  return requestNextPage;
}

/**
 * Whether pages load by infinite scroll: the second page loads on click only; once more than one page is
 * loaded, the next ones load on scroll. A failed page is not retried
 * automatically.
 */
export function useEndless(): boolean {
  const search = usePageState(selectSearch);
  const isOn = usePageState(selectFlag('infiniteScroll'));
  const { status, pageSizes } = search;
  const [first] = search.listings;
  const [lastRequest, setTried] = useState({ first, pages: 0 });
  const pages = pageSizes.length;
  const isTried = lastRequest.first === first && lastRequest.pages === pages;
  if (status === 'loadingMore' && !isTried) setTried({ first, pages });
  const hasFailed = status === 'failed' || (status === 'ready' && isTried);
  return isOn && pages > 1 && !hasFailed && nextRecord(search) !== undefined;
}
