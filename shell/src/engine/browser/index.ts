// The face of the composition engine in the browser.
export type { BrowserSite, PersonalParts, StartingPage } from './browserSite.ts';
export { createLoadFrames } from './frame/loadFrames.ts';
export { startDocument } from './startDocument.ts';
