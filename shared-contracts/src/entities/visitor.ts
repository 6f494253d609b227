import { z } from 'zod';
import { suggestedFilterSchema } from './searchResponse.ts';

/** Who sends a message to a seller (A3-LEAD-01). Empty texts are what is not known. */
export const leadProfileSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  isOneClickOptedIn: z.boolean(),
});
export type LeadProfile = z.infer<typeof leadProfileSchema>;

/** Vehicles which the visitor looked at and has not asked about (AMB-179). */
export const leadCandidatesSchema = z.object({
  candidates: z.array(z.object({ listingId: z.string(), vin: z.string() })),
  profile: leadProfileSchema,
});
export type LeadCandidates = z.infer<typeof leadCandidatesSchema>;

/** Detail pages which the visitor saw, newest first (AMB-178). */
export const browsingHistorySchema = z.object({
  vehicles: z.array(
    z.object({
      listingId: z.string(),
      vin: z.string(),
      /** Milliseconds since 1970. */
      viewedAt: z.number().int(),
      /** The visitor has written to its seller. */
      emailSent: z.boolean(),
    }),
  ),
});
export type BrowsingHistory = z.infer<typeof browsingHistorySchema>;

/** Segments ('make:FORD', 'style:TRUCKS', 'price:20000-30000') and filters that fit them (AMB-181). */
export const personalizationSchema = z.object({
  segments: z.array(z.string()),
  suggestedFilters: z.array(suggestedFilterSchema),
});
export type Personalization = z.infer<typeof personalizationSchema>;

/** Views of a vehicle in the last days, on either brand (A7-VIEW-02); their sum counts (AMB-148). */
export const viewCountSchema = z.object({
  atcViewCount: z.number().int().nonnegative(),
  kbbViewCount: z.number().int().nonnegative(),
});
export type ViewCount = z.infer<typeof viewCountSchema>;

/**
 * A browser that may be sent notifications; exactly these keys (A3-DEVICE-01).
 * `browser_token` is the push provider's token: for Web Push the subscription
 * as JSON text.
 */
export const deviceSchema = z.object({
  brand: z.string().min(1).max(16),
  pixall_id: z.string().max(128),
  browser_token: z.string().min(1).max(4096),
});
export type Device = z.infer<typeof deviceSchema>;

/** What a page tells of itself (AMB-191, AMB-177); unknown keys of an event are kept apart by nobody. */
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
export type PageEvent = z.infer<typeof pageEventSchema>;

/** The still-interested beacon (B7-STILL-01); `email` is empty where it is not known. */
export const stillInterestedSchema = z.object({
  brand: z.string().max(16),
  vins: z.array(z.string().min(1).max(32)).min(1).max(100),
  consumer_id: z.string().max(128),
  email: z.string().max(254).default(''),
});
export type StillInterested = z.infer<typeof stillInterestedSchema>;
