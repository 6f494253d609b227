import { browserStorage } from '@forecourt/shared-contracts/store';

/** Searches that are remembered, by their normalised URL (AMB-096). */
const REMEMBERED = 20;

export const isSubscribedSearch = (url: string): boolean =>
  browserStorage.recentSearches.read().some((recent) => recent.url === url && recent.subscribed);

/** Notes that emails were asked for about a search. */
export function rememberSubscription(url: string): void {
  const others = browserStorage.recentSearches.read().filter((recent) => recent.url !== url);
  browserStorage.recentSearches.write([{ url, subscribed: true }, ...others].slice(0, REMEMBERED));
}
