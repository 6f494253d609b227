// Numbers that the upstream's services and the pages agree on; without any dependency.

/** Maximum number of results with a bottom block. */
export const BOTTOM_BLOCK_MAX_RESULTS = 25;
/** Indexes of boost listings. */
export const BOOST_POSITIONS = [6, 22] as const;
/** Listings in the showcase's carousel. */
export const ALPHA_CAROUSEL_MAX = 12;
/** Vehicles on the showcase's owner card. */
export const ALPHA_OWNER_VEHICLES = 2;
/** Days counted by the view-count call. */
export const VIEW_COUNT_DAYS = 7;
/** Money-back guarantee. */
export const MONEY_BACK = { days: 14, miles: 1000 } as const;
/** Days of the limited warranty of a third-party certification. */
export const THIRD_PARTY_WARRANTY_DAYS = [30, 90] as const;
/** miles; mileages above 0 and below this are used in statistics. */
export const MILEAGE_STATS_BELOW = 250_000;

/** Version of the make-offer script in its URL. */
export const MAKE_OFFER_VERSION = '1.1.0';
