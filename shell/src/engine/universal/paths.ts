/** Where browsers send how their page loaded. */
export const PAGE_TRACE_PATH = '/cars-for-sale/svc/page-trace';
/** Where the shell serves the content of pages, each under its hash. */
export const PAGE_CONTENT_PATH = '/cars-for-sale/api/page-content';
/** Where the shell serves the documents of frames. */
export const FRAMES_PATH = '/frames';
/** Paths below the site's root that the engine's own code requests. */
export const sitePaths = (root: string) => ({
  api: `${root}/api/`,
  call: `${root}/api/call/`,
  pageEvent: `${root}/svc/page-event`,
  pageTrace: `${root}/svc/page-trace`,
});
/** Names the slot that makes a call from the browser. */
export const SLOT_HEADER = 'X-Forecourt-Slot';
