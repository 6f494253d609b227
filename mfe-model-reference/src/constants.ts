/** Year lists with fewer entries stay unchanged (B5-LIST-01, AMB-025). */
export const YEAR_LIST_TRUNCATED_FROM = 5;

/** Maximum entries of a truncated year list, and of a price list (B5-LIST-01, B9-TRIMS-02). */
export const YEAR_LIST_MAX = 11;

/** Characters of a trim name before its ellipsis (B5-LIST-02). */
export const TRIM_NAME_MAX = 30;

/** Maximum features in the compare-trims dialog (B9-TRIMS-01). */
export const COMPARE_TRIMS_FEATURES = 9;

/** Minimum used results for a make and model to have FAQs (B4-MR-03, AMB-156). */
export const FAQ_MIN_USED_RESULTS = 25;

/** px; minimum height of the model-reference tabs (B9-HEIGHT-04). */
export const MODEL_REFERENCE_MIN_HEIGHT = 500;

/** Years; average age of a used vehicle in the fuel-economy text (B9-MPG-01). */
export const AVERAGE_USED_AGE_YEARS = 12.5;

/** miles a year in the fuel-economy text (B9-MPG-02). */
export const AVERAGE_MILES_PER_YEAR = 15_000;
