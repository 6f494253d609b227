import { idList } from './idList.ts';

/** As many as a long session opens. */
const REMEMBERED = 500;

/** Vehicles opened from this page or an alert in this session (AMB-032). */
export const viewedListings = idList(() => sessionStorage, 'viewedListings', REMEMBERED);
