import { z } from 'zod';

/** Opaque to everybody but its maker; fit for a path and a log line. */
const id = z.string().regex(/^[\w.-]{1,64}$/, 'Not an id');

/**
 * A stored search (A3-BOOKMARK-01..04). `lastExecuted` is 'yyyy/MM/d HH:mm:ss'
 * in UTC, `searchResultsURL` the encoded JSON of the filters.
 */
export const bookmarkSchema = z.object({
  bookmarkId: id,
  bookmarkTitle: z.string(),
  searchName: z.string(),
  lastExecuted: z.string(),
  searchResultsURL: z.string(),
  textModalDisclaimer: z.string(),
  saveSearchInstrText: z.string(),
});
export type Bookmark = z.infer<typeof bookmarkSchema>;

/** Both list calls name their entries alike (A7-BOOK-04, AMB-053). */
export const bookmarksSchema = z.object({ myAtcSearchViewBeans: z.array(bookmarkSchema) });

/** Listings which an account keeps, newest first; `savedPrice` in US dollars when they were saved. */
export const savedListingsSchema = z.object({
  savedListings: z.array(
    z.object({
      listingId: z.string(),
      /** Milliseconds since 1970. */
      savedAt: z.number().int(),
      savedPrice: z.number().optional(),
    }),
  ),
});
export type SavedListing = z.infer<typeof savedListingsSchema>['savedListings'][number];

/** A search whose new matches are mailed; `search` is the query of its results page. */
export const emailAlertSchema = z.object({
  alertId: id,
  emailAddress: z.string(),
  brand: z.string(),
  search: z.string(),
  title: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number().int(),
});
export type EmailAlert = z.infer<typeof emailAlertSchema>;
export const emailAlertsSchema = z.object({ alerts: z.array(emailAlertSchema) });

/** Answer of a subscription (AMB-183); of one that failed the call says why (AMB-097). */
export const subscribedSchema = z.object({
  subscribed: z.boolean(),
  alertId: id.optional(),
  /** This address had no emails about this search before; left out by an upstream that does not tell. */
  isNew: z.boolean().optional(),
});

/** Answer of the unsubscribe link: `search` is what the mails were about. */
export const unsubscribedSchema = z.object({ unsubscribed: z.boolean(), search: z.string().optional() });

/** Everything that is kept about an account, for the person whose it is. */
export const accountDataSchema = z.object({
  bookmarks: z.array(bookmarkSchema),
  savedListings: savedListingsSchema.shape.savedListings,
  alerts: z.array(emailAlertSchema),
  devices: z.array(z.object({ brand: z.string(), registeredAt: z.number().int() })),
  leads: z.array(
    z.object({ listingId: z.string(), comments: z.string(), receivedAt: z.number().int() }).loose(),
  ),
});
export type AccountData = z.infer<typeof accountDataSchema>;
