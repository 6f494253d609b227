import {
  CATEGORY_VALUES,
  EXPERIENCES,
  FILTER_PARAMS,
  SORT_VALUES,
  type SearchCriteria,
} from '../criteria/criteria.ts';
import { SLOT_EVENTS } from '@forecourt/slots/events';
import type { Account, Wallet } from '@forecourt/upstream/entities';
import {
  boolean,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  someOf,
  text as textOf,
  wholeNumber,
  withDefault,
  type Schema,
} from '@forecourt/slots/schema';

const text = textOf(0, 2000);
const id = textOf(1, 64);
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const dollars = number(0, 10_000_000);

const criteria: Schema<SearchCriteria> = object({
  filters: someOf(FILTER_PARAMS, list(text, 200)),
  sortBy: oneOf(SORT_VALUES),
  firstRecord: count,
  numRecords: wholeNumber(1, 100),
  experience: optional(oneOf(EXPERIENCES)),
  categorySearch: optional(oneOf(CATEGORY_VALUES)),
  isSponsorship: optional(boolean),
  showcaseOwnerId: optional(text),
  psid: optional(text),
  siomid: optional(text),
  searchBookmarkId: optional(text),
  bookmarkId: optional(text),
  defaultScreen: optional(oneOf(['signup'])),
  refUrl: optional(text),
  expiredListing: optional(boolean),
  openSection: optional(oneOf([...FILTER_PARAMS, 'all'])),
  view: optional(oneOf(['map'])),
  slugs: optional(list(pair(text, text), 500)),
  unknown: list(pair(text, text), 100),
});

/** Dialogs that a remote may request from another one. */
const DIALOGS = [
  /** mfe-filters: the panel on small screens. */
  'filters',
  /** mfe-model-reference: Compare Trims. */
  'trims',
  /** The others belong to mfe-leads. */
  'wallet',
  'emailSearch',
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
  'assistant',
] as const;
const wallet: Schema<Wallet> = object({
  monthlyBudget: dollars,
  downPayment: optional(dollars),
  termMonths: wholeNumber(1, 120),
  aprPercent: number(0, 50),
  tradeInValue: dollars,
});

const account: Schema<Account> = object({ firstName: text, email: text });

/**
 * All events on the marketplace's bus. Intents are requests of the shopper, which the shell or the slot that owns the
 * dialog handles; facts report what happened.
 */
export const EVENT_SCHEMAS = {
  ...SLOT_EVENTS,
  /** Intent: search with these criteria. `cause` names the control, e.g. 'filter:makeCode'. */
  'search.changeRequested': object({
    criteria,
    cause: text,
    history: withDefault(oneOf(['push', 'replace']), 'push'),
  }),
  /** Fact: a control is pressed whose click will request these criteria; the shell may fetch their results. */
  'search.changeExpected': object({ criteria }),
  /** Intent: load the next page below the loaded ones. */
  'search.moreRequested': object({}),
  /** Intent: repeat the failed search. */
  'search.retryRequested': object({}),
  /** Fact: results for the current criteria are on the page. */
  'search.completed': object({ requestId: text, totalResultCount: count }),
  /** Fact: the search failed; the previous results stay. */
  'search.failed': object({ requestId: text, code: text }),

  /** Intent: save the current search; mfe-leads decides how. */
  'search.saveRequested': object({}),
  /** Intent: show the inline email capture in place of the save button. */
  'search.captureRequested': object({}),
  /** Fact: the current search was saved, in the account or as an email alert. */
  'search.saved': object({ via: oneOf(['account', 'email']), title: optional(text) }),

  /** Intent: save a listing, or remove a saved one. */
  'listing.saveRequested': object({ listingId: id }),
  /** Fact: a listing was saved or removed, in the account or in the browser. */
  'listing.savedChanged': object({ listingId: id, saved: boolean }),
  'listing.shareRequested': object({ listingId: id }),
  'listing.reportRequested': object({ listingId: id }),
  /** Intent: show the 360° view of a vehicle. */
  'listing.spinRequested': object({ listingId: id, title: text }),
  /** Fact: a vehicle's page was opened (AMB-032, AMB-125). */
  'listing.viewed': object({ listingId: id }),
  /** Intent: contact the seller of a listing. */
  'lead.requested': object({ listingId: id, kind: oneOf(['email', 'offer', 'call']) }),
  /** Fact: the upstream stored the lead. */
  'lead.sent': object({ listingId: id }),
  /** Fact: emails to sellers are sent with one click from now on, or no longer. */
  'lead.oneClickChanged': object({ isOn: boolean }),

  /** Intent: ask the visitor to sign in or up. `listingId` is the listing to save afterwards. */
  'signIn.requested': object({
    reason: oneOf(['saveListing', 'saveSearch', 'account']),
    listingId: optional(id),
    screen: withDefault(oneOf(['signIn', 'signUp']), 'signUp'),
  }),
  /** Fact: the visitor closed the dialog without signing in. */
  'signIn.dismissed': object({
    reason: oneOf(['saveListing', 'saveSearch', 'account']),
    listingId: optional(id),
  }),
  /** Fact: the visitor signed in or out, in this tab or another one. */
  'session.changed': object({
    signedIn: boolean,
    account: withDefault(nullable(account), null),
    savedListingIds: optional(list(id, 1000)),
    savedSearchCount: optional(count),
  }),

  /** Fact: the visitor's payment terms changed; null = removed. */
  'wallet.changed': object({ wallet: nullable(wallet) }),
  /** Intent: show payments on the cards, or prices only. */
  'payments.showRequested': object({ show: boolean }),
  /** Intent: open the browser-notification opt-in. */
  'notification.requested': object({}),
  /** Intent: open a dialog of another remote. */
  'dialog.requested': object({
    name: oneOf(DIALOGS),
    listingId: optional(id),
    ownerId: optional(id),
    productId: optional(id),
  }),
  /** Fact: that dialog was closed. */
  'dialog.closed': object({ name: oneOf(DIALOGS) }),

  /** Fact: an impression or interaction (AMB-177). */
  'page.tracked': object({
    kind: oneOf(['impression', 'click', 'view']),
    name: text,
    listingId: optional(id),
    tile: optional(text),
    position: optional(count),
  }),
} as const;

declare module '@forecourt/slots' {
  interface Register {
    events: typeof EVENT_SCHEMAS;
  }
}
