/** Ford F-150s near Chicago, normalized URL. */
export const F150_NEAR_CHICAGO = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
/** More results than fit on a page. */
export const FORDS_NEAR_CHICAGO = '/cars-for-sale/all/ford?searchRadius=50&zip=60601';

/** A results page as a crawler sees it. */
export interface ServerPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Milliseconds until the last byte. */
  readonly durationMs: number;
}

/** Without it, the shell would treat the test as a crawler. */
export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Fetches a page with a browser's user agent, without following redirects. */
export async function getPage(url: string, headers: Record<string, string> = {}): Promise<ServerPage> {
  const started = performance.now();
  const response = await fetch(url, {
    headers: { 'user-agent': BROWSER_USER_AGENT, ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    durationMs: performance.now() - started,
  };
}

/** The number in '1,234 Matches'; undefined on a page without results. */
export function matchCount(html: string): number | undefined {
  const digits = /id="results-heading"[^>]*>(?:<!-- -->)*([\d,]+)(?:<!-- -->)* Matches/.exec(html)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** Ids of the vehicles on tiles of these kinds, in order. */
function idsOn(html: string, kinds: readonly string[]): string[] {
  const tiles = html.split(/<(?:li|div)\b[^>]*data-tile="/).slice(1);
  return tiles
    .filter((tile) => kinds.includes(tile.slice(0, tile.indexOf('"'))))
    .map((tile) => /href="[^"?]*\/cars-for-sale\/vehicle\/([^"?]+)/.exec(tile)?.[1])
    .filter((id) => id !== undefined);
}

/** Ids of the organic listings: no spotlights or other sponsored tiles. */
export const listingIds = (html: string): string[] => idsOn(html, ['listing']);

/** Sponsored tiles may show an organic result, which then has no tile of its own. */
export const SPONSORED_KINDS = ['premium', 'fourthTier', 'extraSpotlight', 'boost', 'highlight'] as const;

/** Ids of all vehicles in the grid. */
export const vehicleIds = (html: string): string[] => idsOn(html, ['listing', ...SPONSORED_KINDS]);

/** The HTML of a slot, up to the next slot. */
export function slotHtml(html: string, slot: string): string {
  const start = html.indexOf(`data-slot="${slot}"`);
  if (start < 0) return '';
  const next = html.indexOf('data-slot="', start + 11);
  return html.slice(start, next < 0 ? undefined : next);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  '#39': "'",
  '#x27': "'",
};

/** Decodes an attribute value as the browser does. */
export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|quot|lt|gt|#39|#x27);/g, (entity, name: string) => ENTITIES[name] ?? entity);
