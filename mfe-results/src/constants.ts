/** Placeholder cards while the next page loads (B4-PAGING-04, AMB-003). */
export const LOAD_MORE_PLACEHOLDERS = 25;

/** Placeholder cards of the similar block (B9-SCROLL-03). */
export const SIMILAR_PLACEHOLDERS = 21;

/** Placeholder cards of the supplemental block (B9-SCROLL-04). */
export const SUPPLEMENTAL_PLACEHOLDERS = 6;

/** px below the viewport at which the next page starts to load (B9-SCROLL-01, AMB-144). */
export const INFINITE_SCROLL_MARGIN = 1000;

/** px before the viewport at which a lazy block loads (A9-LIMIT-13, AMB-143). */
export const LAZY_LOAD_MARGIN = 300;

/** Results plus loaded similar listings up to which similar ones are offered (B4-PAGING-10, B9-SCROLL-02). */
export const SIMILAR_MAX_RESULTS = 25;

/** Results below which the last page shows the nearby market (B9-BOTTOM-02). */
export const NEARBY_BELOW_RESULTS = 25;

/** Vehicles of the nearby market, the nearest ones: four rows of three. */
export const NEARBY_SHOWN = 12;

/** Results below which one email-capture tile follows the last listing (B9-BOTTOM-03, AMB-152). */
export const CAPTURE_TILE_BELOW_RESULTS = 9;

/** px; minimum width of a large screen. */
export const LARGE_SCREEN_FROM = 1200;

// Grid: zero-based indexes in the final tile list (AMB-033)
/** Tiles per row (B9-GRID-01). */
export const GRID_COLUMNS = 3;

/** Offsets of premium spotlights in a block (B9-GRID-02). */
export const PREMIUM_OFFSETS = [0, 1, 2] as const;

/** Offset of the fourth-tier spotlight in a block (B9-GRID-03). */
export const FOURTH_TIER_OFFSET = 23;

/** Index of the peekaboo tile (B9-GRID-04). */
export const PEEKABOO_POSITION = 8;

/** Results from which the second boost slot is used (B9-GRID-06). */
export const SECOND_BOOST_MIN_RESULTS = 75;

/** Index of the promo card; needs more listings than this (B9-GRID-08). */
export const PROMO_POSITION = 14;

/** Indexes of fluid ad tiles (B9-GRID-09). */
export const FLUID_AD_POSITIONS = [7, 14, 19, 36, 43] as const;

/** Zero-based rows preceded by a full-width ad (B9-GRID-10). */
export const AD_ROWS = [3, 7, 10, 13, 16] as const;

/** Index of the wallet card (B9-GRID-11). */
export const WALLET_POSITION = 3;

/** Zero-based row preceded by the spotlight carousel (B9-GRID-12). */
export const SPOTLIGHT_CAROUSEL_ROW = 1;

/** Width of a payment-snapshot card in percent, on small screens and otherwise (B9-GRID-13). */
export const SNAPSHOT_WIDTHS = { small: 90, otherwise: 40 } as const;

/** Spotlights appended to page 1 of any sort but relevance (B9-GRID-14). */
export const EXTRA_SPOTLIGHTS = 4;

/**
 * Listings, and the same number of premium spotlights, whose pictures load eagerly (A9-EAGER-01,
 * A9-EAGER-02).
 */
export const EAGER_IMAGES = 3;

// Ads
/** ms between two refreshes of the fixed ad (B9-FIXED-01). */
export const FIXED_AD_REFRESH_MS = 30_000;

/** Refreshes when the configured value is not a positive integer (B9-FIXED-02, AMB-139). */
export const FIXED_AD_REFRESH_LIMIT_FALLBACK = 25;

/** Percent of the page's scrollable height past which the fixed ad shows (B9-FIXED-03, AMB-140). */
export const FIXED_AD_SCROLL_PERCENT = 10;

/** px, width by height (B9-FIXED-04..06, AMB-141). */
export const FIXED_AD_SIZES = { small: [320, 50], otherwise: [728, 90], large: [970, 90] } as const;

/** ms between two checks of the scroll position (B9-FIXED-07). */
export const SCROLL_THROTTLE_MS = 100;

/** ms between two checks whether the ad is ready (B9-FIXED-08). */
export const AD_READY_POLL_MS = 300;

/** ms until the fixed ad counts as failed (B9-FIXED-09, B8-ERR-12). */
export const AD_READY_TIMEOUT_MS = 10_000;

/** px reserved for a leaderboard by kind and screen (B9-HEIGHT-01..03, AMB-142). */
export const LEADERBOARD_HEIGHTS = {
  standard: { large: 146, otherwise: 117 },
  tall: { large: 246, medium: 191, small: 124 },
  expanded: { large: 523, otherwise: 391 },
} as const;

/** Listings from which the comparison opens (AMB-123). */
export const COMPARE_MINIMUM = 2;

// Alerts and notifications
/** ms between two fetches of the browsing history (A9-LIMIT-07). */
export const BROWSING_HISTORY_REFETCH_MS = 120_000;

/** Vehicles considered for the still-interested alert (B9-STILL-01). */
export const STILL_INTERESTED_VEHICLES = 10;

/** The viewer reason needs more views than this (B9-STILL-02). */
export const STILL_INTERESTED_VIEWS_OVER = 3;

/** px; width of the still-interested alert (B9-STILL-03). */
export const STILL_INTERESTED_WIDTH = 400;

/** px from the bottom: no fixed ad, one of 50 px, one of 90 px (B9-STILL-04, AMB-146). */
export const STILL_INTERESTED_BOTTOMS = { noAd: 10, smallAd: 60, ad: 100 } as const;

/** Number of dismissed listing ids that are remembered (AMB-147). */
export const STILL_INTERESTED_REMEMBERED = 100;

/** The one make with a 'Buy Online' button (B2-PROMO-04, AMB-086). */
export const BUY_ONLINE_MAKE = 'FORD';

// Content
/** Expert reviews shown (B9-MISC-02). */
export const EXPERT_REVIEWS_SHOWN = 2;

/** CERTIFIED product tiles on a card (B9-MISC-01, AMB-036). */
export const MAX_CERTIFIED_TILES = 2;

/** Listings in the compare drawer (A9-LIMIT-02, AMB-004). */
export const COMPARE_CAPACITY = 5;
