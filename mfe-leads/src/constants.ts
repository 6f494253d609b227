/** Listings that a signed-out visitor may save (AMB-101). */
export const QUICK_SAVE_LIMIT = 3;

/** Days after which an undelivered lead is dropped: it is too old for the seller. */
export const LEAD_OUTBOX_DAYS = 7;

/** Maximum number of queued leads per browser. */
export const LEAD_OUTBOX_CAPACITY = 20;

/** ms; older vehicle views do not trigger the notification prompt (A9-LIMIT-08). */
export const NOTIFICATION_WINDOW_MS = 86_400_000;
