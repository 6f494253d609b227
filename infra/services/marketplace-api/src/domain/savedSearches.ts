/** Searches that a signed-out visitor may subscribe to. */
export const SIGNED_OUT_SAVED_SEARCHES = 2;
