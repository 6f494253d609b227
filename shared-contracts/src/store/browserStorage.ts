import type { Wallet } from '../entities/account.ts';

/** One value in the browser's storage; no other code may use its key. */
export interface StoredValue<Value> {
  readonly key: string;
  readonly area: 'local' | 'session';
  /** The stored value; the empty value if it is missing or invalid. */
  readonly read: () => Value;
  /** Stores what `read` would return, so a list at its maximum length; `undefined` removes it. A no-op when storage is blocked or full. */
  readonly write: (value: Value) => void;
  /** Parses the text of another tab's storage event. */
  readonly parse: (text: string | null) => Value;
}

const storageOf = (area: 'local' | 'session'): Storage =>
  area === 'local' ? window.localStorage : window.sessionStorage;

/** A stored value with a unique key. `check` converts any stored data, or `undefined`, to a valid value. */
export function storedValue<Value>(
  area: 'local' | 'session',
  key: string,
  check: (raw: unknown) => Value,
): StoredValue<Value> {
  const parse = (text: string | null): Value => {
    try {
      return check(text === null ? undefined : JSON.parse(text));
    } catch {
      return check(undefined);
    }
  };
  return {
    key,
    area,
    parse,
    read() {
      try {
        return parse(storageOf(area).getItem(key));
      } catch {
        return check(undefined);
      }
    },
    write(value) {
      try {
        if (value === undefined) storageOf(area).removeItem(key);
        else storageOf(area).setItem(key, JSON.stringify(check(value)));
      } catch {
        // Storage is blocked or full: the page works without it.
      }
    },
  };
}

const isRecord = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null;
const isTrue = (raw: unknown): boolean => raw === true;

/** At most `max` valid entries, in order. */
const listOf =
  <Entry>(isEntry: (raw: unknown) => raw is Entry, max: number) =>
  (raw: unknown): readonly Entry[] =>
    Array.isArray(raw) ? raw.filter(isEntry).slice(0, max) : [];

const isId = (raw: unknown): raw is string => typeof raw === 'string' && raw !== '' && raw.length <= 64;
/** The ids of at most `max` listings. */
export const storedIds = (
  area: 'local' | 'session',
  key: string,
  max: number,
): StoredValue<readonly string[]> => storedValue(area, key, listOf(isId, max));

/** A stored boolean; false by default. */
export const storedFlag = (area: 'local' | 'session', key: string): StoredValue<boolean> =>
  storedValue(area, key, isTrue);

const isAmount = (raw: unknown): raw is number => typeof raw === 'number' && raw >= 0 && raw <= 10_000_000;

const WALLET_PARTS = ['monthlyBudget', 'downPayment', 'termMonths', 'aprPercent', 'tradeInValue'] as const;

function walletOf(raw: unknown): Wallet | null {
  if (!isRecord(raw) || !WALLET_PARTS.every((part) => isAmount(raw[part]))) return null;
  return Object.fromEntries(WALLET_PARTS.map((part) => [part, raw[part]])) as unknown as Wallet;
}

/** A search made in this browser, by its normalized URL (AMB-096). */
interface RecentSearch {
  readonly url: string;
  readonly subscribed: boolean;
}
const isRecentSearch = (raw: unknown): raw is RecentSearch =>
  isRecord(raw) && typeof raw['url'] === 'string' && typeof raw['subscribed'] === 'boolean';

/** An opened vehicle page; `viewedAt` in ms since 1970 (AMB-125). */
interface RecentListing {
  readonly listingId: string;
  readonly viewedAt: number;
}
const isRecentListing = (raw: unknown): raw is RecentListing =>
  isRecord(raw) && isId(raw['listingId']) && Number.isFinite(raw['viewedAt']);

/** Browser storage that several packages share; lists are newest first. */
export const browserStorage = {
  /** Saved by an anonymous visitor, until they are moved to the account (AMB-101, AMB-194). */
  savedListings: storedIds('local', 'savedListings', 100),
  wallet: storedValue('local', 'wallet', walletOf),
  showsPayments: storedFlag('local', 'showsPayments'),
  recentSearches: storedValue('local', 'recentSearches', listOf(isRecentSearch, 20)),
  recentInventory: storedValue('local', 'recentInventory', listOf(isRecentListing, 50)),
  /** The opt-in was shown (A4-NOTIF-01). */
  notificationPrompted: storedFlag('local', 'notificationPrompted'),
  /** Vehicle pages opened and alerts shown in this session (AMB-032). */
  viewedListings: storedIds('session', 'viewedListings', 500),
  contactedListings: storedIds('session', 'contactedListings', 500),
} as const;
