import { z } from 'zod';
import {
  accountDataSchema,
  bookmarkSchema,
  bookmarksSchema,
  emailAlertsSchema,
  savedListingsSchema,
  subscribedSchema,
  unsubscribedSchema,
} from '../entities/account.ts';
import {
  bookmarkFormSchema,
  bookmarkTitleSchema,
  emailAlertFormSchema,
  mergeListingsSchema,
} from '../entities/forms.ts';
import { doneSchema, emptyFallback, errorFallback, optionalRead, timesOf } from './definition.ts';
import type { CallDefinition } from './callDefinition.ts';

const ACCOUNT = { ...timesOf('account'), service: 'account', caller: 'account', browser: true } as const;
const BOOKMARKS = { ...ACCOUNT, ...timesOf('bookmarks'), service: 'bookmark' } as const;

/** Data stored in the account. */
export const ACCOUNT_CALLS = {
  /** One bookmark of the signed-in visitor, by searchBookmarkId. */
  bookmark: {
    ...BOOKMARKS,
    method: 'GET',
    path: '/account-api/searchbookmarks',
    fallback: errorFallback('/searchbookmarks'),
    response: bookmarkSchema,
  },
  /** All of them; `countNew=true` asks for their numbers of new matches. */
  bookmarks: {
    ...BOOKMARKS,
    method: 'GET',
    path: '/account-api/searchbookmarks',
    fallback: errorFallback('/searchbookmarks'),
    response: bookmarksSchema,
  },
  /** A shared bookmark as the only entry of its list; empty for an unknown id. */
  sharedBookmark: {
    ...optionalRead,
    ...timesOf('bookmarks'),
    service: 'bookmark',
    path: '/account-api/searchbookmarks/share-bookmark/{bookmarkId}',
    fallback: errorFallback('/searchbookmarks'),
    response: bookmarksSchema,
  },
  saveSearch: {
    ...BOOKMARKS,
    method: 'POST',
    path: '/account-api/search',
    fallback: errorFallback('/search'),
    body: bookmarkFormSchema,
    response: bookmarkSchema,
  },
  renameBookmark: {
    ...BOOKMARKS,
    method: 'PUT',
    path: '/account-api/searchbookmarks/{bookmarkId}',
    fallback: errorFallback('/searchbookmarks'),
    body: bookmarkTitleSchema,
    response: bookmarkSchema,
  },
  /** Opens a bookmark: the response has its new matches, which its account has seen from now on. */
  openBookmark: {
    ...BOOKMARKS,
    method: 'POST',
    path: '/account-api/searchbookmarks/{bookmarkId}/opened',
    fallback: errorFallback('/searchbookmarks'),
    browser: false,
    response: bookmarkSchema,
  },
  deleteBookmark: {
    ...BOOKMARKS,
    method: 'DELETE',
    path: '/account-api/searchbookmarks/{bookmarkId}',
    fallback: errorFallback('/searchbookmarks'),
    response: doneSchema,
  },
  savedListings: {
    ...ACCOUNT,
    method: 'GET',
    path: '/account-api/saved-listings',
    fallback: errorFallback('/saved-listings'),
    response: savedListingsSchema,
  },
  saveListing: {
    ...ACCOUNT,
    method: 'PUT',
    path: '/account-api/saved-listings/{listingId}',
    fallback: errorFallback('/saved-listings'),
    response: doneSchema,
  },
  unsaveListing: {
    ...ACCOUNT,
    method: 'DELETE',
    path: '/account-api/saved-listings/{listingId}',
    fallback: errorFallback('/saved-listings'),
    response: doneSchema,
  },
  mergeSavedListings: {
    ...ACCOUNT,
    method: 'POST',
    path: '/account-api/saved-listings/merge',
    fallback: errorFallback('/saved-listings'),
    body: mergeListingsSchema,
    response: savedListingsSchema,
  },
  emailAlerts: {
    ...ACCOUNT,
    method: 'GET',
    path: '/account-api/email-alerts',
    fallback: errorFallback('/email-alerts'),
    response: emailAlertsSchema,
  },
  /**
   * A signed-out visitor may subscribe to two searches; the third is refused with 409 LIMIT (AMB-017,
   * AMB-183).
   */
  subscribeAlert: {
    ...ACCOUNT,
    method: 'POST',
    path: '/account-api/email-alerts',
    fallback: errorFallback('/email-alerts'),
    caller: 'visitor',
    body: emailAlertFormSchema,
    response: subscribedSchema,
  },
  deleteAlert: {
    ...ACCOUNT,
    method: 'DELETE',
    path: '/account-api/email-alerts/{alertId}',
    fallback: errorFallback('/email-alerts'),
    response: doneSchema,
  },
  accountData: {
    ...ACCOUNT,
    method: 'GET',
    path: '/account-api/data',
    fallback: errorFallback('/data'),
    response: accountDataSchema,
  },
  /** Deletes the account's data except leads, which sellers also own. */
  deleteAccountData: {
    ...ACCOUNT,
    method: 'DELETE',
    path: '/account-api/data',
    fallback: errorFallback('/data'),
    response: doneSchema,
  },
  /** Action of the unsubscribe link in an email; the token is part of the link. */
  unsubscribe: {
    method: 'POST',
    browser: true,
    ...timesOf('account'),
    service: 'account',
    path: '/cars-for-sale/svc/unsubscribe/{token}',
    fallback: emptyFallback({ unsubscribed: false }),
    body: z.object({}),
    response: unsubscribedSchema,
  },
} as const satisfies Record<string, CallDefinition>;
