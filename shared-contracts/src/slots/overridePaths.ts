// Without zod, which browser code would otherwise load for these three constants.

/** Path of a shell's overrides page. */
export const OVERRIDES_PATH = '/cars-for-sale/overrides';
/** Path of the manifest of a locally served build, below its origin. */
export const LOCAL_MANIFEST_PATH = '/release.json';
/** s; overrides expire after at most eight hours. */
export const MAX_OVERRIDE_SECONDS = 8 * 3600;
