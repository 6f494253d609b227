// Numbers that the upstream's services and the pages agree on; without any dependency.

/** Maximum number of results with a bottom block (B9-BOTTOM-01). */
export const BOTTOM_BLOCK_MAX_RESULTS = 25;
/** Indexes of boost listings (B9-GRID-05). */
export const BOOST_POSITIONS = [6, 22] as const;
/** Listings in the showcase's carousel (B9-ALPHA-01). */
export const ALPHA_CAROUSEL_MAX = 12;
/** Vehicles on the showcase's owner card (B9-ALPHA-02). */
export const ALPHA_OWNER_VEHICLES = 2;
/** Days counted by the view-count call (A9-LIMIT-09, B9-STILL-05). */
export const VIEW_COUNT_DAYS = 7;
/** Money-back guarantee (B9-MISC-04, A9-COPY-01). */
export const MONEY_BACK = { days: 14, miles: 1000 } as const;
/** Days of the limited warranty of a third-party certification (B9-MISC-05). */
export const THIRD_PARTY_WARRANTY_DAYS = [30, 90] as const;
/** miles; mileages above 0 and below this are used in statistics (A5-RULE-10, A9-LIMIT-14). */
export const MILEAGE_STATS_BELOW = 250_000;

/** Version of the make-offer script in its URL (A7-OFFER-01, AMB-196). */
export const MAKE_OFFER_VERSION = '1.1.0';
