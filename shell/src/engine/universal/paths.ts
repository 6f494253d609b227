/** Where browsers send how their page loaded. */
export const PAGE_TRACE_PATH = '/cars-for-sale/svc/page-trace';
/** Where the shell serves the content of pages, each under its hash. */
export const PAGE_CONTENT_PATH = '/cars-for-sale/api/page-content';
/** Where the shell serves the documents of frames. */
export const FRAMES_PATH = '/frames';
/** Names the slot that makes a call from the browser. */
export const SLOT_HEADER = 'X-Forecourt-Slot';
