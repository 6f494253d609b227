export type { Bookmark, LeadProfile } from './account.ts';
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
  type Filter,
  type ListingsResponse,
  type PageData,
  type SearchResponse,
  type SuggestedFilter,
} from './searchResponse.ts';
