import { storedFlag, storedIds, storedList, storedValue } from '@forecourt/slots/storage';
import type { Wallet } from '@forecourt/upstream/entities';

// What several packages keep in the browser. Lists are newest first.

const isRecord = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null;

const isAmount = (raw: unknown): raw is number => typeof raw === 'number' && raw >= 0 && raw <= 10_000_000;

const WALLET_PARTS = ['monthlyBudget', 'termMonths', 'aprPercent', 'tradeInValue'] as const;

function walletOf(raw: unknown): Wallet | null {
  if (!isRecord(raw) || !WALLET_PARTS.every((part) => isAmount(raw[part]))) return null;
  const parts = Object.fromEntries(WALLET_PARTS.map((part) => [part, raw[part]])) as unknown as Wallet;
  const { downPayment } = raw;
  return isAmount(downPayment) ? { ...parts, downPayment } : parts;
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
  isRecord(raw) &&
  typeof raw['listingId'] === 'string' &&
  raw['listingId'] !== '' &&
  raw['listingId'].length <= 64 &&
  Number.isFinite(raw['viewedAt']);

/** Listings that an anonymous visitor saved, until they are moved to the account. */
export const savedListingsStorage = storedIds('local', 'savedListings', 100);
/** The terms of the visitor's wallet; null without one. */
export const walletStorage = storedValue('local', 'wallet', walletOf);
/** Whether cards show payments in addition to prices. */
export const showsPaymentsStorage = storedFlag('local', 'showsPayments');
/** Whether a click on email sends at once. */
export const oneClickStorage = storedFlag('local', 'emailsInOneClick');
/** Searches made in this browser. */
export const recentSearchesStorage = storedList('local', 'recentSearches', isRecentSearch, 20);
/** Vehicle pages opened in this browser. */
export const recentListingsStorage = storedList('local', 'recentInventory', isRecentListing, 50);
/** Whether the opt-in for notifications was shown. */
export const notificationPromptStorage = storedFlag('local', 'notificationPrompted');
/** Vehicle pages opened and alerts shown in this session. */
export const viewedListingsStorage = storedIds('session', 'viewedListings', 500);
/** Listings whose sellers were contacted in this session. */
export const contactedListingsStorage = storedIds('session', 'contactedListings', 500);
