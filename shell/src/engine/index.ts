// The face of the composition engine on the server. It knows no site: a site passes itself to `createEngine`.
export { engineKeys, readEngineConfig, type EngineConfig } from './config.ts';
export { createEngine, type EngineAdapters, type EngineParts, type SiteRoutes } from './createEngine.ts';
export { escapeHtml, inlineStyle } from './compose/html.ts';
export { contextOf } from './http/requestContext.ts';
export { TESTER_KEYS } from './overrides/server/config.ts';
export { slotPage } from './pages/slotPage.ts';
export type { Ending, PageDescription, PageKind, PageRequest } from './pages/pageKind.ts';
export type { RecordedPage } from './releases/recordedPage.ts';
export type { ReleaseSite } from './rendering/releaseSite.ts';
export { openRuntime, type Runtime } from './runtime/openRuntime.ts';
export { runShell } from './runtime/runShell.ts';
export type { Frame, HeadFields, HeadInput, Site, SitePlan, TopInput } from './site.ts';
