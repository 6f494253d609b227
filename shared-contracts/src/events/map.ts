// The mini build: this schema is in every page, and the full one weighs four times as much.
import * as z from 'zod/mini';
import {
  CATEGORY_VALUES,
  EXPERIENCES,
  FILTER_PARAMS,
  SORT_VALUES,
  type SearchCriteria,
} from '../search/criteria.ts';

const text = z.string().check(z.maxLength(2000));
const id = z.string().check(z.minLength(1), z.maxLength(64));
const wholeNumber = z.int().check(z.nonnegative());

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

  'listing.saveRequested': z.object({ listingId: id }),
  'listing.shareRequested': z.object({ listingId: id }),
  'listing.reportRequested': z.object({ listingId: id }),
  /** Intent: contact the seller of a listing. */
  'lead.requested': z.object({ listingId: id, kind: z.enum(['email', 'offer', 'call']) }),
  /** Fact: the upstream stored the lead. */
  'lead.sent': z.object({ listingId: id }),
  /** Intent: open one of the dialogs of another remote. */
  'dialog.requested': z.object({ name: text, listingId: z.optional(id) }),

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
