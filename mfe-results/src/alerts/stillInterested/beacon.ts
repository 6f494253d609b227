import type { StillInterested } from '../../callTypes.ts';

/** Where the alert's beacon goes (B2-ROUTE-06, B7-STILL-01). */
export const STILL_INTERESTED_PATH = '/cars-for-sale/still-interested/alert';

/**
 * Tells the marketplace which vehicle was shown, even if the page is left. The
 * consumer id stays empty here: no page knows it, the shell adds it.
 */
export function sendAlertBeacon(alert: Omit<StillInterested, 'consumer_id'>): void {
  const body: StillInterested = { ...alert, consumer_id: '' };
  navigator.sendBeacon(STILL_INTERESTED_PATH, new Blob([JSON.stringify(body)], { type: 'application/json' }));
}
