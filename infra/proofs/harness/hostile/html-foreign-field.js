/** Adds a criterion to the search form of the filters. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<input type="hidden" form="_filters-R_0_" name="makeCode" value="FORGED"/>';
