// The mini build: this schema is in every page, and the full one weighs four times as much.
import * as z from 'zod/mini';
import {
  CATEGORY_VALUES,
  EXPERIENCES,
  FILTER_PARAMS,
  SORT_VALUES,
  type SearchCriteria,
} from '../search/criteria.ts';
import type { Account, Wallet } from '../store/state.ts';

const text = z.string().check(z.maxLength(2000));
const id = z.string().check(z.minLength(1), z.maxLength(64));
const wholeNumber = z.int().check(z.nonnegative());
const dollars = z.number().check(z.nonnegative(), z.maximum(10_000_000));

const criteria = z.object({
  filters: z.partialRecord(z.enum(FILTER_PARAMS), z.array(text).check(z.maxLength(200))),
  sortBy: z.enum(SORT_VALUES),
  firstRecord: wholeNumber,
  numRecords: z.int().check(z.minimum(1), z.maximum(100)),
  experience: z.optional(z.enum(EXPERIENCES)),
  categorySearch: z.optional(z.enum(CATEGORY_VALUES)),
  isSponsorship: z.optional(z.boolean()),
  showcaseOwnerId: z.optional(text),
  psid: z.optional(text),
  siomid: z.optional(text),
  searchBookmarkId: z.optional(text),
  bookmarkId: z.optional(text),
  defaultScreen: z.optional(z.literal('signup')),
  refUrl: z.optional(text),
  expiredListing: z.optional(z.boolean()),
  unknown: z.array(z.tuple([text, text])).check(z.maxLength(100)),
}) satisfies z.ZodMiniType<SearchCriteria, unknown>;

/** Dialogs which another remote may ask for, whoever has them. */
export const DIALOGS = [
  /** mfe-filters: the panel on small screens. */
  'filters',
  /** mfe-model-reference: Compare Trims. */
  'trims',
  /** mfe-leads, from here on. */
  'wallet',
  'emailSearch',
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
  'assistant',
] as const;
export type DialogName = (typeof DIALOGS)[number];

const wallet = z.object({
  monthlyBudget: dollars,
  downPayment: dollars,
  termMonths: z.int().check(z.minimum(1), z.maximum(120)),
  aprPercent: z.number().check(z.nonnegative(), z.maximum(50)),
  tradeInValue: dollars,
}) satisfies z.ZodMiniType<Wallet, unknown>;

const account = z.object({ firstName: text, email: text }) satisfies z.ZodMiniType<Account, unknown>;

/**
 * Everything that may travel on the bus. Intents say what the shopper wants
 * (the shell, or the slot that owns the dialog, acts); facts say what happened.
 */
export const EVENT_SCHEMAS = {
  /** Intent: search with these criteria. `cause` names the control, e.g. 'filter:makeCode'. */
  'search.changeRequested': z.object({
    criteria,
    cause: text,
    history: z._default(z.enum(['push', 'replace']), 'push'),
  }),
  /** Intent: load the next page below the loaded ones. */
  'search.moreRequested': z.object({}),
  /** Intent: run the failed search again. */
  'search.retryRequested': z.object({}),
  /** Fact: results for the current criteria are on the page. */
  'search.completed': z.object({ requestId: text, totalResultCount: z.int() }),
  /** Fact: the search failed; the old results stay. */
  'search.failed': z.object({ requestId: text, code: text }),

  /** Intent: save the current search; mfe-leads knows how, for whom (A4-SAVE-01..03). */
  'search.saveRequested': z.object({}),
  /** Intent: show the inline email capture in the save button's place (A4-SAVE-02). */
  'search.captureRequested': z.object({}),
  /** Fact: the current search is stored, in the account or as an email alert. */
  'search.saved': z.object({ via: z.enum(['account', 'email']), title: z.optional(text) }),

  /** Intent: save a listing, or take it out of the saved ones. */
  'listing.saveRequested': z.object({ listingId: id }),
  /** Fact: a listing is saved now, or no more; in the account or in the browser. */
  'listing.savedChanged': z.object({ listingId: id, saved: z.boolean() }),
  'listing.shareRequested': z.object({ listingId: id }),
  'listing.reportRequested': z.object({ listingId: id }),
  /** Fact: a vehicle's own page was opened (AMB-032, AMB-125). */
  'listing.viewed': z.object({ listingId: id }),
  /** Intent: contact the seller of a listing. */
  'lead.requested': z.object({ listingId: id, kind: z.enum(['email', 'offer', 'call']) }),
  /** Fact: the upstream stored the lead (A4-EMAIL-03). */
  'lead.sent': z.object({ listingId: id }),

  /** Intent: ask the visitor to sign in or up. `listingId` is the one that the visitor wanted to save. */
  'signIn.requested': z.object({
    reason: z.enum(['saveListing', 'saveSearch', 'account']),
    listingId: z.optional(id),
    screen: z._default(z.enum(['signIn', 'signUp']), 'signUp'),
  }),
  /** Fact: the visitor closed the sign-in without it (A4-LISTSAVE-07). */
  'signIn.dismissed': z.object({
    reason: z.enum(['saveListing', 'saveSearch', 'account']),
    listingId: z.optional(id),
  }),
  /** Fact: somebody signed in or out, here or in another tab. */
  'session.changed': z.object({
    signedIn: z.boolean(),
    account: z._default(z.nullable(account), null),
    savedListingIds: z.optional(z.array(id).check(z.maxLength(1000))),
    savedSearchCount: z.optional(wholeNumber),
  }),

  /** Fact: the visitor's payment terms are these now; null = given up. */
  'wallet.changed': z.object({ wallet: z.nullable(wallet) }),
  /** Intent: show payments on the cards, or prices only (B4-PANEL-15). */
  'payments.showRequested': z.object({ show: z.boolean() }),
  /** Intent: open the browser-notification opt-in (A1-NOTIF-01). */
  'notification.requested': z.object({}),
  /** Intent: open one of the dialogs of another remote. */
  'dialog.requested': z.object({
    name: z.enum(DIALOGS),
    listingId: z.optional(id),
    ownerId: z.optional(id),
    productId: z.optional(id),
  }),
  /** Fact: such a dialog was closed. */
  'dialog.closed': z.object({ name: z.enum(DIALOGS) }),

  /** Fact: something was seen or used (AMB-177). */
  'page.tracked': z.object({
    kind: z.enum(['impression', 'click', 'view']),
    name: text,
    listingId: z.optional(id),
    tile: z.optional(text),
    position: z.optional(wholeNumber),
  }),
  /** Fact: text for the page's polite live region, e.g. a changed count. */
  'page.announced': z.object({ message: text }),
  /** Fact: a toast is on show; another slot's goes away, so that there is one at most. */
  'toast.shown': z.object({ id: text }),
  /** Fact: `by` covers so many px of the viewport's bottom edge; 0 = no more. */
  'page.bottomCovered': z.object({ by: text, height: wholeNumber }),
  /** Fact: something went wrong that the shopper need not see: logged only (A8, B8). */
  'problem.reported': z.object({ code: text, message: text }),
  /** Fact: a slot could not be shown or went on with its server HTML. */
  'slot.failed': z.object({ slot: text, phase: z.enum(['load', 'hydrate', 'render']), message: text }),
} as const;

export type EventType = keyof typeof EVENT_SCHEMAS;
/** What a sender gives. */
export type EventInput<T extends EventType> = T extends 'search.changeRequested'
  ? { criteria: SearchCriteria; cause: string; history?: 'push' | 'replace' }
  : z.input<(typeof EVENT_SCHEMAS)[T]>;
/** What a receiver gets. */
export type EventPayload<T extends EventType> = z.output<(typeof EVENT_SCHEMAS)[T]>;
