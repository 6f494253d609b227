import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import { selectIsLoading } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import { defineSlot, usePageState } from '@forecourt/slots';
import { type ReactNode, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import styles from './hero.module.css';

/**
 * Keeps an element's height when a response shortens its text, to avoid layout
 * shifts. The next search or a resize releases it.
 */
function useHeldHeight<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  const isLoading = usePageState(selectIsLoading);
  const wasLoading = useRef(false);
  /** Size of the last paint in px; reading it avoids a forced layout. */
  const painted = useRef({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      if (width !== painted.current.width) current.style.minBlockSize = '';
      painted.current = { width, height };
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    if (isLoading) current.style.minBlockSize = '';
    else if (wasLoading.current) current.style.minBlockSize = `${painted.current.height}px`;
    wasLoading.current = isLoading;
  }, [isLoading]);
  return element;
}

/**
 * URL of 'Back to Results': the same search without the sponsor's parameters,
 * from its first page. Undefined unless a sponsor's inventory is shown (AMB-066).
 */
export function backToResultsUrl(criteria: SearchCriteria): string | undefined {
  const { isSponsorship, showcaseOwnerId, psid: _psid, siomid: _siomid, ...search } = criteria;
  if (!isSponsorship && !showcaseOwnerId) return undefined;
  return encodeUrl({ ...search, firstRecord: 0 }, EMPTY_SLUG_REFERENCE);
}

function Breadcrumbs(): ReactNode {
  const crumbs = usePageState((state) => state.search.breadcrumbs);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumb" className={styles['trail']}>
      <ol className={styles['crumbs']}>
        {crumbs.map(({ key, label, href }, index) => (
          <li key={key} className={styles['crumb']}>
            <a href={href} {...(index === crumbs.length - 1 && { 'aria-current': 'page' as const })}>
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Breadcrumbs, the page's only h1 and the link back from a sponsor's inventory. */
function Hero(): ReactNode {
  const heading = usePageState((state) => state.search.texts.heading);
  const title = useHeldHeight<HTMLHeadingElement>();
  const backUrl = usePageState((state) => backToResultsUrl(state.search.criteria));
  return (
    <div className={styles['hero']}>
      <Breadcrumbs />
      {/* Focusable by script: receives the focus when the focused link disappears with the old results. */}
      <h1 ref={title} className={styles['heading']} tabIndex={-1}>
        {heading}
      </h1>
      {backUrl !== undefined && (
        <a className={styles['back']} href={backUrl}>
          Back to Results
        </a>
      )}
    </div>
  );
}

export default defineSlot({
  reads: ['search.breadcrumbs', 'search.texts', 'search.criteria', 'search.status'],
  view: Hero,
});
