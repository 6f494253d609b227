/** Where the shell serves its own built files. */
export const SHELL_FILES = '/assets';
/** Where it serves dictionaries for pages, each under its hash. */
export const DICTIONARY_FILES = `${SHELL_FILES}/dictionary`;
/** Where it serves those of releases. */
export const RELEASE_FILES = '/remotes';
/** Where it serves the documents of frames. */
export const FRAMES_PATH = '/frames';
/** Paths below the site's root that the engine serves to browsers. */
export const sitePaths = (root: string) => ({
  api: `${root}/api/`,
  call: `${root}/api/call/`,
  /** The content of pages, each under its hash. */
  pageContent: `${root}/api/page-content`,
  pageEvent: `${root}/svc/page-event`,
  /** How pages loaded. */
  pageTrace: `${root}/svc/page-trace`,
  policyReport: `${root}/svc/policy-report`,
});
/** Names the slot that makes a call from the browser. */
export const SLOT_HEADER = 'X-Forecourt-Slot';
