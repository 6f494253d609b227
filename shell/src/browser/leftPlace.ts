/** Where a visitor was when the page was left by a link, e.g. to a vehicle: the link, and its offset on the screen in px. */
export interface LeftPlace {
  readonly href: string;
  readonly top: number;
}

const linksOf = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.getAttribute('href') === href,
  );

/**
 * Knows the link by which the page is being left. Not every browser focuses a
 * link that is clicked, so the last click counts before the focus.
 */
export function watchLeaving(): () => LeftPlace | undefined {
  let clicked: Element | null = null;
  document.addEventListener('click', ({ target }) => (clicked = target instanceof Element ? target : null), {
    capture: true,
  });
  return () => {
    const link = (clicked ?? document.activeElement)?.closest<HTMLAnchorElement>('a[href]');
    if (!link?.isConnected) return undefined;
    return { href: link.getAttribute('href') ?? '', top: link.getBoundingClientRect().top };
  };
}

/**
 * Puts the visitor back: the link at the same place of the screen, and focused.
 * False when the page has it no more.
 */
export function returnTo({ href, top }: LeftPlace): boolean {
  // Of several to one vehicle the one that is nearest to where it was.
  const [link] = linksOf(href)
    .map((element) => ({ element, off: element.getBoundingClientRect().top - top }))
    .sort((left, right) => Math.abs(left.off) - Math.abs(right.off));
  if (!link) return false;
  window.scrollBy({ top: link.off, behavior: 'instant' });
  link.element.focus({ preventScroll: true });
  return true;
}

/** Was this document loaded by going back or forward? */
export const isReturn = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward');
