import { z } from 'zod';
import { suggestedFilterSchema } from './searchResponse.ts';

/** Opaque id; safe in a path and a log line. */
const id = z.string().regex(/^[\w.-]{1,64}$/, 'Not an id');

/**
 * A stored search. `lastExecuted` is 'yyyy/MM/d HH:mm:ss'
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
  /** Milliseconds since 1970 when its account last opened it; missing before that, and for everyone else. */
  openedAt: z.number().int().optional(),
  /** Vehicles that arrived since its account last opened or else saved it; missing if they were not counted. */
  newMatches: z
    .object({
      count: z.number().int().nonnegative(),
      /** There may be more than were counted. */
      isAtLeast: z.boolean(),
    })
    .optional(),
});
export type Bookmark = z.infer<typeof bookmarkSchema>;

/** Both list calls return the same shape. */
export const bookmarksSchema = z.object({ myAtcSearchViewBeans: z.array(bookmarkSchema) });

/** Saved listings of an account, newest first; `savedPrice` is the price in US dollars at that time. */
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
/** How often new matches are emailed: once a day, or as soon as they arrive. */
export const alertFrequencySchema = z.enum(['daily', 'atOnce']);
export type AlertFrequency = z.infer<typeof alertFrequencySchema>;

/** A search with email alerts; `search` is the query of its results page. */
const emailAlertSchema = z.object({
  alertId: id,
  emailAddress: z.string(),
  brand: z.string(),
  search: z.string(),
  title: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number().int(),
  frequency: alertFrequencySchema.default('daily'),
});
export const emailAlertsSchema = z.object({ alerts: z.array(emailAlertSchema) });

/** Response of a subscription (AMB-183); if it failed, the call has the reason (AMB-097). */
export const subscribedSchema = z.object({
  subscribed: z.boolean(),
  alertId: id.optional(),
  /** Whether this address had no alert for this search before; missing if the upstream doesn't say. */
  isNew: z.boolean().optional(),
});

/** Response of the unsubscribe link: `search` is the search of the emails. */
export const unsubscribedSchema = z.object({ unsubscribed: z.boolean(), search: z.string().optional() });

/** The sender of a message to a seller. Unknown texts are empty. */
export const leadProfileSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  isOneClickOptedIn: z.boolean(),
});
export type LeadProfile = z.infer<typeof leadProfileSchema>;

/** All data stored for an account, for its owner. */
export const accountDataSchema = z.object({
  /** Contact details; empty if none are stored. */
  profile: leadProfileSchema.optional(),
  bookmarks: z.array(bookmarkSchema),
  savedListings: savedListingsSchema.shape.savedListings,
  alerts: z.array(emailAlertSchema),
  devices: z.array(z.object({ brand: z.string(), registeredAt: z.number().int() })),
  leads: z.array(
    z.object({ listingId: z.string(), comments: z.string(), receivedAt: z.number().int() }).loose(),
  ),
});

/** Vehicles that the visitor viewed but has not asked about (AMB-179). */
export const leadCandidatesSchema = z.object({
  candidates: z.array(z.object({ listingId: z.string(), vin: z.string() })),
  profile: leadProfileSchema,
});
/** Detail pages that the visitor viewed, newest first (AMB-178). */
export const browsingHistorySchema = z.object({
  vehicles: z.array(
    z.object({
      listingId: z.string(),
      vin: z.string(),
      /** Milliseconds since 1970. */
      viewedAt: z.number().int(),
      /** The visitor has emailed its seller. */
      emailSent: z.boolean(),
    }),
  ),
});
/** Segments ('make:FORD', 'style:TRUCKS', 'price:20000-30000') and filters that fit them (AMB-181). */
export const personalizationSchema = z.object({
  segments: z.array(z.string()),
  suggestedFilters: z.array(suggestedFilterSchema),
});
/** Views of a vehicle in recent days, on each brand; their sum counts (AMB-148). */
export const viewCountSchema = z.object({
  atcViewCount: z.number().int().nonnegative(),
  kbbViewCount: z.number().int().nonnegative(),
});
/**
 * A browser that receives notifications; exactly these keys. `browser_token` is the push
 * provider's token: for Web Push, the subscription as JSON.
 */
export const deviceSchema = z.object({
  brand: z.string().min(1).max(16),
  pixall_id: z.string().max(128),
  browser_token: z.string().min(1).max(4096),
});
/** Analytics events of a page (AMB-191, AMB-177); unknown keys of an event are dropped. */
export const pageEventSchema = z.object({
  brand: z.string().max(16),
  pixallId: z.string().max(128).default(''),
  page: z.string().max(2000),
  events: z
    .array(
      z
        .object({
          type: z.string().max(60),
          name: z.string().max(200),
          listingId: z.string().max(64).optional(),
          tile: z.string().max(60).optional(),
          position: z.number().int().optional(),
        })
        .loose(),
    )
    .max(100),
});
/** The still-interested beacon; `email` is empty if unknown. */
export const stillInterestedSchema = z.object({
  brand: z.string().max(16),
  vins: z.array(z.string().min(1).max(32)).min(1).max(100),
  consumer_id: z.string().max(128),
  email: z.string().max(254).default(''),
});

/** The visitor's payment terms. Money in whole USD. */
export interface Wallet {
  readonly monthlyBudget: number;
  /** Undefined until the shopper enters an amount: then it is a share of each price (AMB-112). */
  readonly downPayment?: number;
  readonly termMonths: number;
  readonly aprPercent: number;
  readonly tradeInValue: number;
}

/** Data of a signed-in visitor shown on the page. */
export interface Account {
  readonly firstName: string;
  readonly email: string;
}
