/** Listings that a signed-out visitor may save (AMB-101). */
export const QUICK_SAVE_LIMIT = 3;

// Leads
/** Days for which a lead that could not be delivered is tried again; nobody answers an older one. */
export const LEAD_OUTBOX_DAYS = 7;

/** Leads which one browser keeps for later. */
export const LEAD_OUTBOX_CAPACITY = 20;

/** ms; a recent-inventory entry older than this prompts nobody (A9-LIMIT-08). */
export const NOTIFICATION_WINDOW_MS = 86_400_000;
