/**
 * Every business constant of the product, in one place: name, value, unit and
 * the row of `infra/proofs/spec/requirements.tsv` or the decision it comes from. No
 * other file writes one of these numbers.
 */

// Search and paging
/** Listings a page (B9-PAGE-01). */
export const PAGE_SIZE = 30;
/** A page size that the manufacturer brand still asks for; it becomes PAGE_SIZE there (B9-PAGE-02, AMB-002). */
export const LEGACY_PAGE_SIZE = 25;
/** Most listings that a URL may ask for at once (AMB-050). */
export const MAX_NUM_RECORDS = 100;
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
/** Results up to which the bottom block shows (B9-BOTTOM-01). */
export const BOTTOM_BLOCK_MAX_RESULTS = 25;
/** Results below which the last page shows the nearby market (B9-BOTTOM-02). */
export const NEARBY_BELOW_RESULTS = 25;
/** Vehicles of the nearby market, the nearest ones: four rows of three. */
export const NEARBY_SHOWN = 12;
/** Results below which one email-capture tile follows the last listing (B9-BOTTOM-03, AMB-152). */
export const CAPTURE_TILE_BELOW_RESULTS = 9;
/** Listings asked for by a similar request (A9-LIMIT-03). */
export const SIMILAR_NUM_RECORDS = 20;
/** Listings asked for by a supplemental request (A9-LIMIT-04). */
export const SUPPLEMENTAL_NUM_RECORDS = 100;
/** Most ids that a request may exclude; more than that and none is sent (A9-LIMIT-06, AMB-093). */
export const MAX_EXCLUDED_LISTING_IDS = 25;
/** Links to narrower searches below the results (B4-PANEL-05). */
export const MAX_CRAWL_PATHS = 16;
/** Version of the relevance formula sent with the relevance sort (B9-GRID-16, AMB-138). */
export const RELEVANCE_VERSION = 'relevance-v3';

// Location
/** Digits of a ZIP code (B9-LEN-01). */
export const ZIP_LENGTH = 5;
/** Miles; the largest search radius (A9-LIMIT-05, AMB-008). */
export const MAX_SEARCH_RADIUS = 100;
/** Miles; sent when a ZIP comes without a radius (AMB-165). */
export const DEFAULT_SEARCH_RADIUS = 50;
/** Miles; 0 is 'Any', the whole country (AMB-008). */
export const SEARCH_RADIUS_OPTIONS = [10, 25, 50, 75, 100, 0] as const;

// Filters and inputs
/** Make groups of the filter panel and of a URL (B9-PAGE-06). */
export const MAX_MAKE_GROUPS = 5;
/** Characters of a price input, '$' and commas included (B9-LEN-02, AMB-091). */
export const PRICE_INPUT_MAX_LENGTH = 10;
/** Characters of an email address in the capture form (B9-LEN-03). */
export const EMAIL_MAX_LENGTH = 45;
/** Model years offered for new cars besides 'Any' (A9-LIMIT-11). */
export const NEW_CAR_YEAR_OPTIONS = 4;
/** Years by which the oldest new-car model year precedes the current one (A5-RULE-09). */
export const NEW_CAR_YEARS_BACK = 2;
/** ms; a filter change waits so long for the next one, 0 = not at all (B4-PANEL-08, AMB-083). */
export const FILTER_DEBOUNCE_MS = 0;
/** ms between two keyword look-ups (AMB-090). */
export const KEYWORD_DEBOUNCE_MS = 200;
/** Conditions named in a summary; one more and none is (A9-LIMIT-10, AMB-071). */
export const MAX_NAMED_CONDITIONS = 3;
/** Days for which a suggested model stays suppressed (AMB-088). */
export const SUPPRESSED_MODELS_DAYS = 30;

// Breakpoints, px (AMB-095)
/** Below this a screen is small. */
export const SMALL_SCREEN_BELOW = 768;
/** From this the filter panel docks. */
export const PANEL_DOCKS_FROM = 992;
/** From this a screen is large. */
export const LARGE_SCREEN_FROM = 1200;

// Grid: zero-based indexes in the final tile list (AMB-033)
/** Tiles a row (B9-GRID-01). */
export const GRID_COLUMNS = 3;
/** Tiles after which the spotlight slots repeat (B9-GRID-02). */
export const SPOTLIGHT_BLOCK = 30;
/** Offsets of premium spotlights in a block (B9-GRID-02). */
export const PREMIUM_OFFSETS = [0, 1, 2] as const;
/** Offset of the fourth-tier spotlight in a block (B9-GRID-03). */
export const FOURTH_TIER_OFFSET = 23;
/** Index of the peekaboo tile (B9-GRID-04). */
export const PEEKABOO_POSITION = 8;
/** Indexes of boost listings (B9-GRID-05). */
export const BOOST_POSITIONS = [6, 22] as const;
/** Results from which the second boost slot is used (B9-GRID-06). */
export const SECOND_BOOST_MIN_RESULTS = 75;
/** Results from which new-car boosts are asked for (B9-GRID-07). */
export const NEW_CAR_BOOST_MIN_RESULTS = 75;
/** New-car boosts asked for (B7-NCB-02). */
export const NEW_CAR_BOOST_NUM_RECORDS = 2;
/** Index of the promo card; needs more listings than this (B9-GRID-08). */
export const PROMO_POSITION = 14;
/** Indexes of fluid ad tiles (B9-GRID-09). */
export const FLUID_AD_POSITIONS = [7, 14, 19, 36, 43] as const;
/** Zero-based rows before which a full-width ad stands (B9-GRID-10). */
export const AD_ROWS = [3, 7, 10, 13, 16] as const;
/** Index of the wallet card (B9-GRID-11). */
export const WALLET_POSITION = 3;
/** Zero-based row before which the spotlight carousel stands (B9-GRID-12). */
export const SPOTLIGHT_CAROUSEL_ROW = 1;
/** Width of a payment-snapshot card in percent, on small screens and otherwise (B9-GRID-13). */
export const SNAPSHOT_WIDTHS = { small: 90, otherwise: 40 } as const;
/** Spotlights appended to page 1 of any sort but relevance (B9-GRID-14). */
export const EXTRA_SPOTLIGHTS = 4;
/** Listings added to a request for a highlight beside a premium spotlight or boost (B9-GRID-17, AMB-039). */
export const HIGHLIGHT_INCREMENT = 1;
/** Listings, and as many premium spotlights, whose pictures load eagerly (A9-EAGER-01, A9-EAGER-02). */
export const EAGER_IMAGES = 3;
/** Spotlights a request, by tier and use (B9-PAGE-03..05, AMB-007). */
export const NUM_SPOTLIGHTS = {
  premiumFirstPage: 3,
  premiumLoadMore: 2,
  premiumCarousel: 10,
  featured: 6,
  standard: 6,
} as const;
/** Years before the current one which the end year must exceed for a new-car boost (B9-MPG-03, AMB-023). */
export const NEW_CAR_BOOST_YEARS = 6;

// Showcase
/** Listings in the showcase's carousel (B9-ALPHA-01). */
export const ALPHA_CAROUSEL_MAX = 12;
/** Vehicles on the showcase's owner card (B9-ALPHA-02). */
export const ALPHA_OWNER_VEHICLES = 2;
/** s; life of the cookie which keeps the showcase hidden (B9-ALPHA-03, AMB-130). */
export const ALPHA_HIDDEN_SECONDS = 1800;

// Ads
/** ms between two refreshes of the fixed ad (B9-FIXED-01). */
export const FIXED_AD_REFRESH_MS = 30_000;
/** Refreshes of the fixed ad (B9-FIXED-02). */
export const FIXED_AD_REFRESH_LIMIT = 10;
/** The same when the configured value is no positive integer (B9-FIXED-02, AMB-139). */
export const FIXED_AD_REFRESH_LIMIT_FALLBACK = 25;
/** Percent of the page's scrollable height past which the fixed ad shows (B9-FIXED-03, AMB-140). */
export const FIXED_AD_SCROLL_PERCENT = 10;
/** px, width by height (B9-FIXED-04..06, AMB-141). */
export const FIXED_AD_SIZES = { small: [320, 50], otherwise: [728, 90], large: [970, 90] } as const;
/** ms between two looks at the scroll position (B9-FIXED-07). */
export const SCROLL_THROTTLE_MS = 100;
/** ms between two looks whether the ad service is ready (B9-FIXED-08). */
export const AD_READY_POLL_MS = 300;
/** ms until the fixed ad counts as failed (B9-FIXED-09, B8-ERR-12). */
export const AD_READY_TIMEOUT_MS = 10_000;
/** px reserved for a leaderboard by kind and screen (B9-HEIGHT-01..03, AMB-142). */
export const LEADERBOARD_HEIGHTS = {
  standard: { large: 146, otherwise: 117 },
  tall: { large: 246, medium: 191, small: 124 },
  expanded: { large: 523, otherwise: 391 },
} as const;

// Saved searches, saved and compared listings
/** Searches that a signed-out visitor may subscribe to (A9-LIMIT-01). */
export const SIGNED_OUT_SAVED_SEARCHES = 2;
/** Listings in the compare drawer (A9-LIMIT-02, AMB-004). */
export const COMPARE_CAPACITY = 5;
/** Listings from which the comparison opens (AMB-123). */
export const COMPARE_MINIMUM = 2;
/** Listings that a signed-out visitor may save (AMB-101). */
export const QUICK_SAVE_LIMIT = 3;

// Leads
/** Days for which a lead that could not be delivered is tried again; nobody answers an older one. */
export const LEAD_OUTBOX_DAYS = 7;
/** Leads which one browser keeps for later. */
export const LEAD_OUTBOX_CAPACITY = 20;

// Alerts and notifications
/** ms between two fetches of the browsing history (A9-LIMIT-07). */
export const BROWSING_HISTORY_REFETCH_MS = 120_000;
/** ms; a recent-inventory entry older than this prompts nobody (A9-LIMIT-08). */
export const NOTIFICATION_WINDOW_MS = 86_400_000;
/** Days counted by the view-count call (A9-LIMIT-09, B9-STILL-05). */
export const VIEW_COUNT_DAYS = 7;
/** Vehicles looked at for the still-interested alert (B9-STILL-01). */
export const STILL_INTERESTED_VEHICLES = 10;
/** The viewer reason needs more views than this (B9-STILL-02). */
export const STILL_INTERESTED_VIEWS_OVER = 3;
/** px; width of the still-interested alert (B9-STILL-03). */
export const STILL_INTERESTED_WIDTH = 400;
/** px from the bottom: no fixed ad, one of 50 px, one of 90 px (B9-STILL-04, AMB-146). */
export const STILL_INTERESTED_BOTTOMS = { noAd: 10, smallAd: 60, ad: 100 } as const;
/** Dismissed listing ids that are remembered (AMB-147). */
export const STILL_INTERESTED_REMEMBERED = 100;

// Sessions and campaigns
/** s; the session id cookie (A9-LIMIT-12, AMB-166). */
export const SESSION_COOKIE_SECONDS = 1800;
/** ms; the campaign cookie (B9-CAMPAIGN-01, AMB-163). */
export const CAMPAIGN_COOKIE_MS = 604_800_000;

/** The one make with a 'Buy Online' button (B2-PROMO-04, AMB-086). */
export const BUY_ONLINE_MAKE = 'FORD';

// Content
/** Expert reviews shown (B9-MISC-02). */
export const EXPERT_REVIEWS_SHOWN = 2;
/** CERTIFIED product tiles on a card (B9-MISC-01, AMB-036). */
export const MAX_CERTIFIED_TILES = 2;
/** USD a month in the wallet's example when there is none (B9-MISC-03). */
export const WALLET_EXAMPLE_MONTHLY = 600;
/** Money-back guarantee (B9-MISC-04, A9-COPY-01). */
export const MONEY_BACK = { days: 14, miles: 1000 } as const;
/** Days of the limited warranty of a third-party certification (B9-MISC-05). */
export const THIRD_PARTY_WARRANTY_DAYS = [30, 90] as const;
/** What the manufacturer's certified program admits (A9-COPY-02, A9-COPY-03). */
export const CERTIFIED_PROGRAM = { maxAgeYears: 6, milesUnder: 80_000, inspectionPoints: 172 } as const;
/** USD; the manufacturer's price-cap page (A9-COPY-04, AMB-069). */
export const PRICE_CAP_PAGE = 20_000;

// Model reference
/** miles; mileages above 0 and below this are used in statistics (A5-RULE-10, A9-LIMIT-14). */
export const MILEAGE_STATS_BELOW = 250_000;
/** Entries below which a year list stays as given (B5-LIST-01, AMB-025). */
export const YEAR_LIST_TRUNCATED_FROM = 5;
/** Entries of a truncated year list and features of a price list (B5-LIST-01, B9-TRIMS-02). */
export const YEAR_LIST_MAX = 11;
/** Characters of a trim name before its ellipsis (B5-LIST-02). */
export const TRIM_NAME_MAX = 30;
/** Features in the compare-trims dialog (B9-TRIMS-01). */
export const COMPARE_TRIMS_FEATURES = 9;
/** Used results from which a make and model has FAQs (B4-MR-03, AMB-156). */
export const FAQ_MIN_USED_RESULTS = 25;
/** px; least height of the model-reference tabs (B9-HEIGHT-04). */
export const MODEL_REFERENCE_MIN_HEIGHT = 500;
/** Years; average age of a used vehicle in the fuel-economy text (B9-MPG-01). */
export const AVERAGE_USED_AGE_YEARS = 12.5;
/** miles a year in the fuel-economy text (B9-MPG-02). */
export const AVERAGE_MILES_PER_YEAR = 15_000;

// Interface
/** ms for which a toast stays that nobody points at. */
export const TOAST_MS = 8_000;

// Payments (AMB-112)
/** Share of the price paid at once. */
export const PAYMENT_DOWN_SHARE = 0.1;
/** Months. */
export const PAYMENT_TERM_MONTHS = 72;
/** Percent a year. */
export const PAYMENT_APR_PERCENT = 6.99;
/** Percent a year by condition where a seller has rates of its own (AMB-110). */
export const DEALER_APR_PERCENT = { NEW: 5.49, CERTIFIED: 5.99, '3P_CERT': 6.49, USED: 6.99 } as const;
/** Percent a year of a maker's special offer on a new vehicle. */
export const SPECIAL_APR_PERCENT = 3.9;
/** A lease: months, and the share of the price that the vehicle is worth afterwards. */
export const LEASE = { termMonths: 36, residualShare: 0.56 } as const;
/** Months for which a loan may run. */
export const LOAN_TERMS_MONTHS = [36, 48, 60, 72, 84] as const;

// Accounts' and visitors' data in the marketplace
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

/** When a breaker opens (AMB-168): share of failures among at least so many calls in a window of ms. */
export const BREAKER_OPENS = { failureShare: 0.5, minimumCalls: 5, windowMs: 10_000 } as const;
