export type { Bookmark, LeadProfile, Wallet } from './account.ts';
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
export { ownerSchema, type Owner } from './owner.ts';
export type { CrawlLink } from './reference.ts';
export type { Trim } from './research.ts';
export {
  searchResponseSchema,
  type Alpha,
  type Filter,
  type ListingsResponse,
  type NearMiss,
  type PageData,
  type SearchResponse,
  type SuggestedFilter,
  type SuggestedModel,
} from './searchResponse.ts';
