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
/** Results up to which the bottom block shows (B9-BOTTOM-01). */
export const BOTTOM_BLOCK_MAX_RESULTS = 25;
/** Listings asked for by a similar request (A9-LIMIT-03). */
export const SIMILAR_NUM_RECORDS = 20;
/** Most ids that a request may exclude; more than that and none is sent (A9-LIMIT-06, AMB-093). */
export const MAX_EXCLUDED_LISTING_IDS = 25;
/** Version of the relevance formula sent with the relevance sort (B9-GRID-16, AMB-138). */
export const RELEVANCE_VERSION = 'relevance-v3';

/** Digits of a ZIP code (B9-LEN-01). */
export const ZIP_LENGTH = 5;
/** Miles; the largest search radius (A9-LIMIT-05, AMB-008). */
export const MAX_SEARCH_RADIUS = 100;
/** Miles; sent when a ZIP comes without a radius (AMB-165). */
export const DEFAULT_SEARCH_RADIUS = 50;
/** Miles; 0 is 'Any', the whole country (AMB-008). */
export const SEARCH_RADIUS_OPTIONS = [10, 25, 50, 75, 100, 0] as const;

/** Make groups of the filter panel and of a URL (B9-PAGE-06). */
export const MAX_MAKE_GROUPS = 5;
/** Characters of an email address in the capture form (B9-LEN-03). */
export const EMAIL_MAX_LENGTH = 45;
/** Conditions named in a summary; one more and none is (A9-LIMIT-10, AMB-071). */
export const MAX_NAMED_CONDITIONS = 3;
/** Below this a screen is small. */
export const SMALL_SCREEN_BELOW = 768;
/** Indexes of boost listings (B9-GRID-05). */
export const BOOST_POSITIONS = [6, 22] as const;
/** Listings added to a request for a highlight beside a premium spotlight or boost (B9-GRID-17, AMB-039). */
export const HIGHLIGHT_INCREMENT = 1;
/** Spotlights a request, by tier and use (B9-PAGE-03..05, AMB-007). */
export const NUM_SPOTLIGHTS = {
  premiumFirstPage: 3,
  premiumLoadMore: 2,
  premiumCarousel: 10,
  featured: 6,
  standard: 6,
} as const;
/** Listings in the showcase's carousel (B9-ALPHA-01). */
export const ALPHA_CAROUSEL_MAX = 12;
/** Vehicles on the showcase's owner card (B9-ALPHA-02). */
export const ALPHA_OWNER_VEHICLES = 2;
/** Refreshes of the fixed ad (B9-FIXED-02). */
export const FIXED_AD_REFRESH_LIMIT = 10;
/** Searches that a signed-out visitor may subscribe to (A9-LIMIT-01). */
export const SIGNED_OUT_SAVED_SEARCHES = 2;
/** Listings in the compare drawer (A9-LIMIT-02, AMB-004). */
export const COMPARE_CAPACITY = 5;
/** Days counted by the view-count call (A9-LIMIT-09, B9-STILL-05). */
export const VIEW_COUNT_DAYS = 7;
/** USD a month in the wallet's example when there is none (B9-MISC-03). */
export const WALLET_EXAMPLE_MONTHLY = 600;
/** Money-back guarantee (B9-MISC-04, A9-COPY-01). */
export const MONEY_BACK = { days: 14, miles: 1000 } as const;
/** Days of the limited warranty of a third-party certification (B9-MISC-05). */
export const THIRD_PARTY_WARRANTY_DAYS = [30, 90] as const;
/** miles; mileages above 0 and below this are used in statistics (A5-RULE-10, A9-LIMIT-14). */
export const MILEAGE_STATS_BELOW = 250_000;
/** ms for which a toast stays that nobody points at. */
export const TOAST_MS = 8_000;

/** Share of the price paid at once. */
export const PAYMENT_DOWN_SHARE = 0.1;
/** Months. */
export const PAYMENT_TERM_MONTHS = 72;
/** Percent a year. */
export const PAYMENT_APR_PERCENT = 6.99;
/** Months for which a loan may run. */
export const LOAN_TERMS_MONTHS = [36, 48, 60, 72, 84] as const;

/** Version of the make-offer script in its address (A7-OFFER-01, AMB-196). */
export const MAKE_OFFER_VERSION = '1.0.0';

/**
 * ms: how long a call may take, and how long its breaker stays open before one
 * trial (A9-TIMEOUT-01.., B9 circuit breakers, AMB-006, AMB-168, AMB-176ff).
 */
export const CALL_TIMES = {
  /** The main listing call (B7-LIST-13). */
  required: { timeout: 20_000, reset: 30_000 },
  optional: { timeout: 3_000, reset: 30_000 },
  /** Listings of given VINs (A9-TIMEOUT-01). */
  activeListings: { timeout: 3_000, reset: 30_000 },
  supplemental: { timeout: 5_000, reset: 30_000 },
  similar: { timeout: 3_000, reset: 300_000 },
  bookmarks: { timeout: 3_000, reset: 30_000 },
  packages: { timeout: 5_000, reset: 30_000 },
  modelInfo: { timeout: 5_000, reset: 300_000 },
  crawl: { timeout: 3_000, reset: 300_000 },
  viewCount: { timeout: 3_000, reset: 300_000 },
  reference: { timeout: 5_000, reset: 30_000 },
  device: { timeout: 1_000, reset: 30_000 },
  /** What an account keeps: saved listings, alerts (AMB-183, AMB-194). */
  account: { timeout: 3_000, reset: 30_000 },
  deals: { timeout: 5_000, reset: 30_000 },
  ratings: { timeout: 5_000, reset: 300_000 },
  expertReviews: { timeout: 3_000, reset: 30_000 },
  kbbResearch: { timeout: 5_000, reset: 300_000 },
  emailOwner: { timeout: 5_000, reset: 30_000 },
  vdpBase: { timeout: 3_000, reset: 300_000 },
} as const;
