import { storedValue, type storedIds } from '@forecourt/shared-contracts/store';
import { cardElement } from './resultsElements.ts';
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

function cardOf(raw: unknown): LeftCard | undefined {
  const { url, listingId, firstRecord, top } = (raw ?? {}) as Partial<LeftCard>;
  return typeof url === 'string' &&
    typeof listingId === 'string' &&
    typeof firstRecord === 'number' &&
    typeof top === 'number'
    ? { url, listingId, firstRecord, top }
    : undefined;
}

const cards: Readonly<Record<Place, ReturnType<typeof storedValue<LeftCard | undefined>>>> = {
  openedCard: storedValue('session', 'openedCard', cardOf),
  cardInSight: storedValue('session', 'cardInSight', cardOf),
};

export function rememberCard(place: Place, listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  cards[place].write({ url: currentUrl(), listingId, firstRecord, top });
}

/** The card at which this very URL was left; undefined for none. */
export function readCard(place: Place): LeftCard | undefined {
  const card = cards[place].read();
  return card?.url === currentUrl() ? card : undefined;
}

export const forgetCard = (place: Place): void => cards[place].write(undefined);

/** Puts an id before those that are kept, once. */
export function keepId(list: ReturnType<typeof storedIds>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}
