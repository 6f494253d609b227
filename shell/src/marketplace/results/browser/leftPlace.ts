/** The link by which the visitor left the page, e.g. to a vehicle, and its offset from the viewport's top in px. */
export interface LeftPlace {
  readonly href: string;
  readonly top: number;
}

const linksOf = (href: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.getAttribute('href') === href,
  );

/**
 * Returns the link by which the page is being left. Not every browser focuses a
 * clicked link, so the last click takes precedence over the focus.
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
 * Scrolls the link to its former offset and focuses it. False if the page no
 * longer contains it.
 */
export function returnTo({ href, top }: LeftPlace): boolean {
  // Several links may lead to one vehicle: takes the one nearest to the former offset.
  const [link] = linksOf(href)
    .map((element) => ({ element, distance: element.getBoundingClientRect().top - top }))
    .sort((left, right) => Math.abs(left.distance) - Math.abs(right.distance));
  if (!link) return false;
  window.scrollBy({ top: link.distance, behavior: 'instant' });
  link.element.focus({ preventScroll: true });
  return true;
}

const HOLD_MS = 1_000;

/**
 * Returns to the link and holds it there for a second, unless the visitor goes on: what is above it has an estimated height
 * until it is rendered.
 */
export function holdPlace(place: LeftPlace): void {
  if (!returnTo(place)) return;
  const link = document.activeElement;
  let heldAt = window.scrollY;
  const sizes = new ResizeObserver(() => {
    if (window.scrollY !== heldAt || document.activeElement !== link) return sizes.disconnect();
    returnTo(place);
    heldAt = window.scrollY;
  });
  sizes.observe(document.body);
  setTimeout(() => sizes.disconnect(), HOLD_MS);
}
