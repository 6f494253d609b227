import type { ListingStore } from '../store/listingStore.ts';

const VIN = /^[a-hj-npr-z0-9]{17}$/;
/** Words before a stock number: 'Stock # U-4711'. */
const STOCK_WORDS: ReadonlySet<string> = new Set(['stock', 'stk', 'number', 'no', 'nr']);
/** At least four characters with a digit; a year alone is a year. */
const STOCK_NUMBER = /^(?=.*\d)(?!(?:19|20)\d\d$).{4,20}$/;
/** Parts of a stock number between dashes. */
const MAX_STOCK_PARTS = 3;

/** Vehicles whose VIN or stock number the words of a keyword are; undefined when they are neither. */
export function idsOfNumber(store: ListingStore, keywords: readonly string[]): string[] | undefined {
  const [first = ''] = keywords;
  if (keywords.length === 1 && VIN.test(first)) return store.idsOfVins([first.toUpperCase()]);
  const parts = keywords.filter((word) => !STOCK_WORDS.has(word));
  const number = parts.join('').toUpperCase();
  if (parts.length > MAX_STOCK_PARTS || !STOCK_NUMBER.test(number)) return undefined;
  const ids = store.idsOfStockNumber(number);
  return ids.length > 0 ? ids : undefined;
}
