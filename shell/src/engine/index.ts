// The composition engine: everything that a site needs from it. It knows no site.
export { createEngine, type EngineAdapters, type EngineParts, type SiteRoutes } from './createEngine.ts';
export type { PageState } from './pageState.ts';
export type { Frame, Site } from './site.ts';
export type { PageKind, PageDescription, LoadedPage, Ending } from './pages/pageKind.ts';
export { slotPage } from './pages/slotPage.ts';
