/** Listings that a signed-out visitor may save. */
export const QUICK_SAVE_LIMIT = 3;

/** Page of the vehicles that the account, or without one this browser, has saved. */
export const SAVED_VEHICLES_PATH = '/account/saved-vehicles';
