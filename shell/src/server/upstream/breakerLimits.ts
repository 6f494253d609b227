/** When a breaker opens (AMB-168): share of failures among at least so many calls in a window of ms. */
export const BREAKER_OPENS = { failureShare: 0.5, minimumCalls: 5, windowMs: 10_000 } as const;
