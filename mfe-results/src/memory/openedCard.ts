const KEY = 'openedCard';

/** The vehicle that was opened last from a page of results. */
export interface OpenedCard {
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

export function rememberOpened(listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ url: currentUrl(), listingId, firstRecord, top }));
  } catch {
    // Without storage the browser's own scroll position must do.
  }
}

/** The card which was opened from this very URL; undefined for none. */
export function readOpened(): OpenedCard | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<OpenedCard> | null;
    const { url, listingId, firstRecord, top } = stored ?? {};
    if (url !== currentUrl() || typeof listingId !== 'string') return undefined;
    return typeof firstRecord === 'number' && typeof top === 'number'
      ? { url, listingId, firstRecord, top }
      : undefined;
  } catch {
    return undefined;
  }
}

export function forgetOpened(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was remembered, then.
  }
}
