import { marketplaceState } from '@forecourt/search/state';
import {
  contactedListingsStorage,
  notificationPromptStorage,
  recentListingsStorage,
  recentSearchesStorage,
  savedListingsStorage,
  showsPaymentsStorage,
  viewedListingsStorage,
  walletStorage,
} from '@forecourt/search/storage';

export * from '@forecourt/search/state';
export { usePageState } from '@forecourt/slots';
export type { SlotStore as AppStore } from '@forecourt/slots/state';
export { storedFlag, storedIds, storedValue } from '@forecourt/slots/storage';
export const { sliceState, changeOf: stateChangeOf } = marketplaceState;
export const browserStorage = {
  savedListings: savedListingsStorage,
  wallet: walletStorage,
  showsPayments: showsPaymentsStorage,
  recentSearches: recentSearchesStorage,
  recentInventory: recentListingsStorage,
  notificationPrompted: notificationPromptStorage,
  viewedListings: viewedListingsStorage,
  contactedListings: contactedListingsStorage,
} as const;
