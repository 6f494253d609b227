import { RESERVED_SEGMENTS, RESULTS_PATH } from '@forecourt/search/criteria';

/** Path and query of a same-origin URL of a search; undefined for any other URL. */
export function searchUrlOf(href: string): string | undefined {
  if (!URL.canParse(href, window.location.href)) return undefined;
  const url = new URL(href, window.location.href);
  if (url.origin !== window.location.origin) return undefined;
  const [root, first] = url.pathname.toLowerCase().split('/').filter(Boolean);
  if (`/${root}` !== RESULTS_PATH || (first !== undefined && RESERVED_SEGMENTS.includes(first)))
    return undefined;
  return url.pathname + url.search;
}

const viewOf = (query: string): string | null => new URLSearchParams(query).get('view');

/** The search URL of a plain left click on a link; undefined if the browser should follow the link. */
export function followedSearch(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return undefined;
  // A jump within the page, e.g. the skip link.
  if (link.hash && link.pathname + link.search === window.location.pathname + window.location.search)
    return undefined;
  // The map is a slot of its page only.
  return viewOf(link.search) === viewOf(window.location.search) ? searchUrlOf(link.href) : undefined;
}

/**
 * Turns followed links to searches into searches within the page. Listens at the
 * document, after every slot, and ignores clicks whose default a slot prevented.
 * `press` receives the URL of a link that is pressed, also if a slot follows it.
 */
export function listenToSearchLinks(follow: (url: string) => void, press: (url: string) => void): void {
  document.addEventListener('pointerdown', (event) => {
    // A finger that scrolls presses, too.
    const url = event.pointerType === 'mouse' ? followedSearch(event) : undefined;
    if (url !== undefined) press(url);
  });
  document.addEventListener('click', (event) => {
    const url = followedSearch(event);
    if (url === undefined) return;
    event.preventDefault();
    follow(url);
  });
}
