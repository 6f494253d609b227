// The face of the composition engine. It knows no site: a site passes itself to `createEngine`.
export { createEngine, type EngineAdapters, type EngineParts, type SiteRoutes } from './createEngine.ts';
export { slotPage } from './pages/slotPage.ts';
export type { Ending, PageDescription, PageKind, PageRequest } from './pages/pageKind.ts';
export type { Frame, HeadFields, HeadInput, Site, TopInput } from './site.ts';
