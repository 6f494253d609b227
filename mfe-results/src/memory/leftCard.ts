/** What is known of a page of results that is left: the card that was opened, or the first one in sight. */
export type Place = 'openedCard' | 'cardInSight';

/** A vehicle's card where a page of results was left. */
export interface LeftCard {
  /** Path and query of the results. */
  readonly url: string;
  readonly listingId: string;
  /** Offset of the page of results it stood in. */
  readonly firstRecord: number;
  /** px between it and the top of the viewport. */
  readonly top: number;
}

const currentUrl = () => window.location.pathname + window.location.search;

export const cardElement = (listingId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#listings [data-listing="${CSS.escape(listingId)}"]`);

export function rememberCard(place: Place, listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  try {
    sessionStorage.setItem(place, JSON.stringify({ url: currentUrl(), listingId, firstRecord, top }));
  } catch {
    // Without storage the browser's own scroll position must do.
  }
}

/** The card at which this very URL was left; undefined for none. */
export function readCard(place: Place): LeftCard | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Partial<LeftCard> | null;
    const { url, listingId, firstRecord, top } = stored ?? {};
    if (url !== currentUrl() || typeof listingId !== 'string') return undefined;
    return typeof firstRecord === 'number' && typeof top === 'number'
      ? { url, listingId, firstRecord, top }
      : undefined;
  } catch {
    return undefined;
  }
}

export function forgetCard(place: Place): void {
  try {
    sessionStorage.removeItem(place);
  } catch {
    // Nothing was remembered, then.
  }
}
