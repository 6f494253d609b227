export {
  HIGHLIGHT_INCREMENT,
  MAX_EXCLUDED_LISTING_IDS,
  NUM_SPOTLIGHTS,
  toApiQuery,
  toSearchQuery,
  toSimilarQuery,
  type RequestContext,
} from './query.ts';
