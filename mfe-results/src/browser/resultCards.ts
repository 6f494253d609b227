import { storedValue } from '@forecourt/shared-contracts/store';

/** Moves the focus to the heading of the results, for controls that disappear when used. */
export const focusResults = (): void =>
  document.getElementById('results-heading')?.focus({ preventScroll: true });

export const cardElement = (listingId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#listings [data-listing="${CSS.escape(listingId)}"]`);

/** Why a card is remembered: it was opened, or it was the first card in view. */
export type CardMemory = 'openedCard' | 'cardInSight';

/** The card at which the shopper left the results. */
export interface RememberedCard {
  /** Path and query of the results. */
  readonly url: string;
  readonly listingId: string;
  /** Offset of its page of results. */
  readonly firstRecord: number;
  /** px from the top of the viewport. */
  readonly top: number;
}

const currentUrl = () => window.location.pathname + window.location.search;

function parseCard(raw: unknown): RememberedCard | undefined {
  const { url, listingId, firstRecord, top } = (raw ?? {}) as Partial<RememberedCard>;
  return typeof url === 'string' &&
    typeof listingId === 'string' &&
    typeof firstRecord === 'number' &&
    typeof top === 'number'
    ? { url, listingId, firstRecord, top }
    : undefined;
}

type StoredValue<Value> = ReturnType<typeof storedValue<Value>>;

const storedCards: Readonly<Record<CardMemory, StoredValue<RememberedCard | undefined>>> = {
  openedCard: storedValue('session', 'openedCard', parseCard),
  cardInSight: storedValue('session', 'cardInSight', parseCard),
};

export function rememberCard(memory: CardMemory, listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  storedCards[memory].write({ url: currentUrl(), listingId, firstRecord, top });
}

/** The card remembered for the current URL. */
export function readCard(memory: CardMemory): RememberedCard | undefined {
  const card = storedCards[memory].read();
  return card?.url === currentUrl() ? card : undefined;
}

export const forgetCard = (memory: CardMemory): void => storedCards[memory].write(undefined);

/** Moves an id to the front of a stored list. */
export function moveToFront(list: StoredValue<readonly string[]>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}
