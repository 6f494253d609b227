/** Characters of a price input, '$' and commas included (B9-LEN-02, AMB-091). */
export const PRICE_INPUT_MAX_LENGTH = 10;

/** Model years offered for new cars besides 'Any' (A9-LIMIT-11). */
export const NEW_CAR_YEAR_OPTIONS = 4;

/** Years by which the oldest new-car model year precedes the current one (A5-RULE-09). */
export const NEW_CAR_YEARS_BACK = 2;

/** ms to debounce filter changes; 0 turns debouncing off (B4-PANEL-08, AMB-083). */
export const FILTER_DEBOUNCE_MS = 0;

/** Minimum ms between two keyword lookups (AMB-090). */
export const KEYWORD_DEBOUNCE_MS = 200;

/** Days for which a suggested model stays suppressed (AMB-088). */
export const SUPPRESSED_MODELS_DAYS = 30;

/** Media query: the filter panel is docked from this width on. */
export const PANEL_DOCKS_FROM = 992;
