import { storedValue, type StoredValue } from '@forecourt/shared-contracts/store';
import { cardElement } from './resultsElements.ts';
/** Why a card is remembered: it was opened, or it was the first one in sight. */
export type CardMemory = 'openedCard' | 'cardInSight';

/** The card at which the shopper left a page of results. */
export interface LeftCard {
  /** Path and query of the results. */
  readonly url: string;
  readonly listingId: string;
  /** Offset of its page of results. */
  readonly firstRecord: number;
  /** px from the top of the viewport. */
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

const cards: Readonly<Record<CardMemory, StoredValue<LeftCard | undefined>>> = {
  openedCard: storedValue('session', 'openedCard', cardOf),
  cardInSight: storedValue('session', 'cardInSight', cardOf),
};

export function rememberCard(place: CardMemory, listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  cards[place].write({ url: currentUrl(), listingId, firstRecord, top });
}

/** The card remembered for the current URL. */
export function readCard(place: CardMemory): LeftCard | undefined {
  const card = cards[place].read();
  return card?.url === currentUrl() ? card : undefined;
}

export const forgetCard = (place: CardMemory): void => cards[place].write(undefined);

/** Moves an id to the front of a stored list. */
export function keepId(list: StoredValue<readonly string[]>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}
