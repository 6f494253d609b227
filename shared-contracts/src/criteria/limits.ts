/**
 * Every business constant of the product, in one place: name, value, unit and
 * the row of `infra/proofs/spec/requirements.tsv` or the decision it comes from. No
 * other file writes one of these numbers.
 */

/** Listings a page (B9-PAGE-01). */
export const PAGE_SIZE = 30;

/** A page size that the manufacturer brand still asks for; it becomes PAGE_SIZE there (B9-PAGE-02, AMB-002). */
export const LEGACY_PAGE_SIZE = 25;

/** Most listings that a URL may ask for at once (AMB-050). */
export const MAX_NUM_RECORDS = 100;

/** Make groups of the filter panel and of a URL (B9-PAGE-06). */
export const MAX_MAKE_GROUPS = 5;

/** Miles; the largest search radius (A9-LIMIT-05, AMB-008). */
export const MAX_SEARCH_RADIUS = 100;

/** Miles; sent when a ZIP comes without a radius (AMB-165). */
export const DEFAULT_SEARCH_RADIUS = 50;

/** Miles; 0 is 'Any', the whole country (AMB-008). */
export const SEARCH_RADIUS_OPTIONS = [10, 25, 50, 75, 100, 0] as const;
