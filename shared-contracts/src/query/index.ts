export {
  HIGHLIGHT_INCREMENT,
  MAX_EXCLUDED_LISTING_IDS,
  NUM_SPOTLIGHTS,
  toApiQuery,
  toSearchQuery,
  type RequestContext,
} from './query.ts';
