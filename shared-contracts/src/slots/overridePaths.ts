/** Where a shell shows, sets and ends overrides. */
export const OVERRIDES_PATH = '/cars-for-sale/overrides';
/** Path of the manifest of a build that is served as it stands, below its origin. */
export const LOCAL_MANIFEST_PATH = '/release.json';
/** An override ends by itself after eight hours at the latest; s. */
export const MAX_OVERRIDE_SECONDS = 8 * 3600;
