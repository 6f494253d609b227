/** Placeholder cards while the next page loads. */
export const LOAD_MORE_PLACEHOLDERS = 25;

/** Placeholder cards of the similar block. */
export const SIMILAR_PLACEHOLDERS = 21;

/** Placeholder cards of the supplemental block. */
export const SUPPLEMENTAL_PLACEHOLDERS = 6;

/** px below the viewport at which the next page starts to load. */
export const INFINITE_SCROLL_MARGIN = 1000;

/** px before the viewport at which a lazy block loads. */
export const LAZY_LOAD_MARGIN = 300;

/** Results plus loaded similar listings up to which similar ones are offered. */
export const SIMILAR_MAX_RESULTS = 25;

/** Results below which the last page shows the nearby market. */
export const NEARBY_BELOW_RESULTS = 25;

/** Vehicles of the nearby market, the nearest ones: four rows of three. */
export const NEARBY_SHOWN = 12;

/** Results below which one email-capture tile follows the last listing. */
export const CAPTURE_TILE_BELOW_RESULTS = 9;

/** px; minimum width of a large screen. */
export const LARGE_SCREEN_FROM = 1200;

// Grid: zero-based indexes in the final tile list
/** Tiles per row. */
export const GRID_COLUMNS = 3;

/** Tiles per row from 1,600 px on. */
export const WIDE_GRID_COLUMNS = 4;

/** Offsets of premium spotlights in a block. */
export const PREMIUM_OFFSETS = [0, 1, 2] as const;

/** Offset of the fourth-tier spotlight in a block. */
export const FOURTH_TIER_OFFSET = 23;

/** Index of the peekaboo tile. */
export const PEEKABOO_POSITION = 8;

/** Results from which the second boost slot is used. */
export const SECOND_BOOST_MIN_RESULTS = 75;

/** Index of the promo card; needs more listings than this. */
export const PROMO_POSITION = 14;

/** Indexes of fluid ad tiles. */
export const FLUID_AD_POSITIONS = [7, 14, 19, 36, 43] as const;

/** Zero-based rows preceded by a full-width ad. */
export const AD_ROWS = [3, 7, 10, 13, 16] as const;

/** Index of the wallet card. */
export const WALLET_POSITION = 3;

/** Zero-based row preceded by the spotlight carousel. */
export const SPOTLIGHT_CAROUSEL_ROW = 1;

/** Width of a payment-snapshot card in percent, on small screens and otherwise. */
export const SNAPSHOT_WIDTHS = { small: 90, otherwise: 40 } as const;

/** Spotlights appended to page 1 of any sort but relevance. */
export const EXTRA_SPOTLIGHTS = 4;

/**
 * Listings, and the same number of premium spotlights, whose pictures load eagerly.
 */
export const EAGER_IMAGES = 3;

// Ads
/** ms between two refreshes of the fixed ad. */
export const FIXED_AD_REFRESH_MS = 30_000;

/** Refreshes when the configured value is not a positive integer. */
export const FIXED_AD_REFRESH_LIMIT_FALLBACK = 25;

/** Percent of the page's scrollable height past which the fixed ad shows. */
export const FIXED_AD_SCROLL_PERCENT = 10;

/** px, width by height. */
export const FIXED_AD_SIZES = { small: [320, 50], otherwise: [728, 90], large: [970, 90] } as const;

/** ms between two checks of the scroll position. */
export const SCROLL_THROTTLE_MS = 100;

/** ms between two checks whether the ad is ready. */
export const AD_READY_POLL_MS = 300;

/** ms until the fixed ad counts as failed. */
export const AD_READY_TIMEOUT_MS = 10_000;

/** px reserved for a leaderboard by kind and screen. */
export const LEADERBOARD_HEIGHTS = {
  standard: { large: 146, otherwise: 117 },
  tall: { large: 246, medium: 191, small: 124 },
  expanded: { large: 523, otherwise: 391 },
} as const;

/** Listings from which the comparison opens. */
export const COMPARE_MINIMUM = 2;

// Alerts and notifications
/** ms between two fetches of the browsing history. */
export const BROWSING_HISTORY_REFETCH_MS = 120_000;

/** Vehicles considered for the still-interested alert. */
export const STILL_INTERESTED_VEHICLES = 10;

/** The viewer reason needs more views than this. */
export const STILL_INTERESTED_VIEWS_OVER = 3;

/** px; width of the still-interested alert. */
export const STILL_INTERESTED_WIDTH = 400;

/** px from the bottom: no fixed ad, one of 50 px, one of 90 px. */
export const STILL_INTERESTED_BOTTOMS = { noAd: 10, smallAd: 60, ad: 100 } as const;

/** Number of dismissed listing ids that are remembered. */
export const STILL_INTERESTED_REMEMBERED = 100;

/** The one make with a 'Buy Online' button. */
export const BUY_ONLINE_MAKE = 'FORD';

// Content
/** Expert reviews shown. */
export const EXPERT_REVIEWS_SHOWN = 2;

/** CERTIFIED product tiles on a card. */
export const MAX_CERTIFIED_TILES = 2;

/** Listings in the compare drawer. */
export const COMPARE_CAPACITY = 5;
