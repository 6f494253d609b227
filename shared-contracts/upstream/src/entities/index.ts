export type { Account, AlertFrequency, Bookmark, LeadProfile, Wallet } from './account.ts';
export { formatLastExecuted } from './formatLastExecuted.ts';
export {
  EMAIL_MAX_LENGTH,
  bookmarkTitleSchema,
  emailCaptureSchema,
  emailOwnerSchema,
  errorBodySchema,
  makeOfferSchema,
  reportListingSchema,
  shareListingSchema,
} from './forms.ts';
export { listingSchema, type Listing } from './listing.ts';
export { ownerSchema, type Owner } from './listing.ts';
export type { CrawlLink, Trim } from './reference.ts';
export {
  searchResponseSchema,
  type Alpha,
  type Filter,
  type ListingsResponse,
  type NearMiss,
  type SearchPageData,
  type SearchResponse,
  type SearchStats,
  type SuggestedFilter,
  type SuggestedModel,
} from './searchResponse.ts';
export { toListing } from './wireShapes.ts';
