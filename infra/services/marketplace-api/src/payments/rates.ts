/** Percent a year by condition where a seller has rates of its own (AMB-110). */
export const DEALER_APR_PERCENT = { NEW: 5.49, CERTIFIED: 5.99, '3P_CERT': 6.49, USED: 6.99 } as const;

/** Percent a year of a maker's special offer on a new vehicle. */
export const SPECIAL_APR_PERCENT = 3.9;

/** A lease: months, and the share of the price that the vehicle is worth afterwards. */
export const LEASE = { termMonths: 36, residualShare: 0.56 } as const;
