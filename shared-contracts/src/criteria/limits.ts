/**
 * Constants of the URL grammar, with unit and spec row. Constants that a single package uses are in that
 * package.
 */

/** Listings per page (B9-PAGE-01). */
export const PAGE_SIZE = 30;

/**
 * A page size that URLs of the manufacturer brand may still have; replaced by PAGE_SIZE (B9-PAGE-02,
 * AMB-002).
 */
export const LEGACY_PAGE_SIZE = 25;

/** Maximum page size in a URL (AMB-050). */
export const MAX_NUM_RECORDS = 100;

/** Maximum make groups in the filter panel and in a URL (B9-PAGE-06). */
export const MAX_MAKE_GROUPS = 5;

/** Miles; the largest search radius (A9-LIMIT-05, AMB-008). */
export const MAX_SEARCH_RADIUS = 100;

/** Miles; sent with a ZIP that has no radius (AMB-165). */
export const DEFAULT_SEARCH_RADIUS = 50;

/** Miles; 0 is 'Any', nationwide (AMB-008). */
export const SEARCH_RADIUS_OPTIONS = [10, 25, 50, 75, 100, 0] as const;
