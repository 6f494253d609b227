import type { FileLink } from '../rendering/release.ts';
import { type InlineElement, inlineScript, inlineSpeculationRules, jsonForScript } from './html.ts';

/** Trusted Types policy of the entry loader. */
const ENTRY_POLICY = 'forecourt#entry';

const PRELOADS_ELEMENT_ID = 'fc-preloads';

/** A preload that a script adds: `strict-dynamic` would block one that the parser adds, which has no nonce. */
const addPreload = (fields: string): string =>
  `document.head.append(Object.assign(document.createElement("link"),{rel:"preload",as:"script",crossOrigin:"anonymous",fetchPriority:"low",${fields}}))`;

/**
 * Fetches the shell's entry while the page is parsed, and runs it afterwards, like `defer`. The
 * policy allows this one URL.
 */
function entryLoader({ url, integrity }: FileLink): string {
  const [href, hash] = [jsonForScript(url), jsonForScript(integrity)];
  return (
    `{const policy=self.trustedTypes?.createPolicy("${ENTRY_POLICY}",{createScriptURL:()=>${href}});` +
    `${addPreload(`integrity:${hash},href:${href}`)};` +
    'addEventListener("DOMContentLoaded",()=>document.head.append(Object.assign(document.createElement("script"),' +
    `{integrity:${hash},crossOrigin:"anonymous",src:policy?policy.createScriptURL(""):${href}})))}`
  );
}

/** Preloads the scripts that the data block above lists. */
const PRELOAD_SCRIPT = `for(const[href,integrity]of JSON.parse(document.getElementById("${PRELOADS_ELEMENT_ID}").textContent))${addPreload('integrity,href')}`;

/**
 * Vehicle pages are fetched while the pointer rests on their link (https://wicg.github.io/nav-speculation). Fetched, not
 * rendered: nothing of a page runs before the visitor opens it, so it reports no impressions. Searches are no documents for
 * pages with scripts, which request them when their links are pressed. Browsers that save data fetch nothing ahead.
 */
const SPECULATION_RULES = {
  prefetch: [
    { source: 'document', where: { href_matches: '/cars-for-sale/vehicle/*' }, eagerness: 'moderate' },
  ],
};

/** The inline scripts of every page. They are the same for all pages of a build, so that the policy allows them by hash. */
export interface PageScripts {
  /** For the head. */
  readonly loader: InlineElement;
  /** Handles input before the page's scripts have loaded, and preloads them; for the place after the main slot. */
  readonly early: InlineElement;
  /** Which pages the browser fetches ahead; for the end of the page. */
  readonly speculation: InlineElement;
}

/** `early` is the source of the built script for early input. */
export const createPageScripts = (entry: FileLink, early: string): PageScripts => ({
  loader: inlineScript(entryLoader(entry)),
  early: inlineScript(`${early};${PRELOAD_SCRIPT}`),
  speculation: inlineSpeculationRules(SPECULATION_RULES),
});

/** Data for `early`, which must follow. */
export const preloadList = (files: readonly FileLink[]): string =>
  `<script type="application/json" id="${PRELOADS_ELEMENT_ID}">${jsonForScript(files.map(({ url, integrity }) => [url, integrity]))}</script>`;
