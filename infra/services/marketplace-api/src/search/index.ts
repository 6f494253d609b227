/** The face of the search: it finds listings and describes them. Above the inventory. */
export { type ContentSources, NO_CONTENT } from './content/contentSources.ts';
export { createDealerPageBucket, createDealerPageFolder, type DealerPages } from './content/dealerPages.ts';
export { createSearch, type Search } from './createSearch.ts';
export type { ListingIndex, ListingQuery } from './listingIndex/listingIndex.ts';
export { openIndex, openIndexer } from './listingIndex/openIndex.ts';
export type { ListingSearch } from './listings/listingSearch.ts';
export { daysOf } from './listings/presenter.ts';
export { readSearchRequest } from './listings/request.ts';
export { slugData } from './reference/models.ts';
