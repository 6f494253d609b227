/** The face of the inventory: listings and sellers as feeds bring them, and their photos. Below the search. */
export {
  BUSY,
  FeedError,
  createFeedSchedule,
  type Feed,
  fetchFeed,
  readFeeds,
  readMapping,
  withDealer,
} from './import/feeds.ts';
export { MAX_SHRINK, NothingToImport } from './import/importFeed.ts';
export { type Choices, importFile, type ImportTarget } from './import/importFile.ts';
export { type ImportPageDeps, type StockChange, importPages } from './import/importPages.ts';
export { BrokenFeed, type FeedMapping, mappingSchema } from './import/mapping.ts';
export { collectSamples, type Preview, readPreview, writePreview } from './import/preview.ts';
export { csvCell, importDetails } from './import/reporting.ts';
export { type Suggestion, suggestMapping } from './import/suggestMapping.ts';
export { type PhotoFetcher, createPhotoFetcher } from './photos/fetchPhotos.ts';
export { createPhotoEncoder, createPictureProcesses } from './photos/photoEncoder.ts';
export {
  type PhotoFiles,
  createPhotoBucket,
  createPhotoFolder,
  defaultPhotoPath,
  photoRoutes,
} from './photos/photoFiles.ts';
export { type MissingPhoto, type PhotoStore, createPhotoStore } from './photos/photoStore.ts';
export { type ShareCard, type SharePainter, createSharePainter } from './photos/sharePainter.ts';
export { type FeedStatus, createFeedRuns, createImportLog } from './store/importLog.ts';
export { type StockIndex, createIndexFeed } from './store/indexFeed.ts';
export { INVENTORY_OPTIONS, inventoryId, openInventory } from './store/inventoryTables.ts';
export { type SeedSource, createInventoryWriter, seedInventory } from './store/inventoryWriter.ts';
export {
  type IndexProgress,
  type ListingStore,
  type NewListings,
  createListingStore,
  createNewListings,
} from './store/listingStore.ts';
export { type StockLog, type StoredListing, createStockLog } from './store/stockLog.ts';
