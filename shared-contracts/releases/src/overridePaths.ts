// Without zod, which browser code would otherwise load for these constants.

/** Path of a shell's overrides page: the same for every site, so that the command line finds it. */
export const OVERRIDES_PATH = '/overrides';
/** How a shell and a locally served build find each other. */
export const LOCAL_BUILD = {
  /** Path of the build's manifest, below its origin. */
  manifestPath: '/release.json',
  /** Header of a page that `forecourt dev` requests: it renders the build itself. */
  proxyHeader: 'forecourt-dev',
} as const;
/** s; overrides expire after at most eight hours. */
export const MAX_OVERRIDE_SECONDS = 8 * 3600;
