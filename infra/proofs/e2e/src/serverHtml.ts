import { skipTest } from './consoleErrors.ts';

/** Reads a variable of the stack shared by all tests that do not disturb each other; skips the test without it. */
function requiredVariable(variable: string): string {
  const text = process.env[variable];
  if (!text && process.env['E2E_BASE_URL']) skipTest();
  if (!text)
    throw new Error(
      `${variable} is missing: run the tests with \`npm run e2e\`, or set it for a running stack`,
    );
  return text;
}
const originOf = (variable: string): string => new URL(requiredVariable(variable)).origin;

/** Origin of the shell, e.g. 'http://localhost:5000'. */
export const shellOrigin = (): string => originOf('E2E_BASE_URL');
/** Origin of the marketplace API behind that shell. */
export const apiOrigin = (): string => originOf('E2E_API_URL');

/** Directory of that stack's databases and logs. */
export const dataDir = (): string => requiredVariable('E2E_DATA_DIR');

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

/** Paths that `robots.txt` disallows: APIs and personal pages, which lead to the identity provider. */
async function disallowedPaths(origin: string): Promise<readonly string[]> {
  const { html: robots } = await getPage(`${origin}/robots.txt`);
  return [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = '']) => path);
}

/** Paths of the same-origin links of a page, without fragments; `rel="nofollow"` is for search engines. */
function linkedPaths(html: string, url: string, withNofollow: boolean): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"[^>]*>/g)].flatMap(([tag, href = '']) => {
    if (!withNofollow && /\srel="[^"]*\bnofollow\b/.test(tag)) return [];
    const target = new URL(unescapeHtml(href), url);
    return target.origin === new URL(url).origin ? [target.pathname + target.search] : [];
  });
}

/** What a crawl found. */
export interface Crawl {
  /** Requested paths. */
  readonly paths: ReadonlySet<string>;
  /** Redirects, errors and titles that two pages share, with the page that links to them. */
  readonly problems: readonly string[];
}

/**
 * Crawls internal links as a search engine does: without JavaScript, by the rules of `robots.txt`, eight at a time. The
 * home page itself belongs to the site around the search pages (AMB-057), and redirects to `start`.
 * Two URLs are the same page if they have the same canonical URL.
 */
export async function crawl(
  origin: string,
  options: {
    readonly limit: number;
    readonly follows?: (path: string) => boolean;
    /** Where a visitor begins, who follows every link. */
    readonly start?: string;
  },
): Promise<Crawl> {
  const { limit, follows = () => true, start } = options;
  const disallowed = await disallowedPaths(origin);
  const home = start ?? (await getPage(`${origin}/`)).headers.get('location') ?? '/';
  const linkedFrom = new Map([[home, '/']]);
  const queue = [home];
  const canonicals = new Map<string, string>();
  const problems: string[] = [];
  const visit = async (path: string) => {
    const page = await getPage(origin + path);
    const report = (problem: string) =>
      problems.push(`${problem}: ${path}, linked from ${linkedFrom.get(path)}`);
    if (page.status !== 200) return void report(`status ${page.status}`);
    const title = /<title>([^<]*)/.exec(page.html)?.[1] ?? '';
    const canonical = /<link rel="canonical" href="([^"]*)/.exec(page.html)?.[1] ?? path;
    const other = canonicals.get(title) ?? canonical;
    if (title === '' || other !== canonical) report(`title '${title}' of ${other}`);
    canonicals.set(title, canonical);
    for (const link of linkedPaths(page.html, origin + path, start !== undefined)) {
      const isExcluded =
        link === '/' || disallowed.some((prefix) => link.startsWith(prefix)) || !follows(link);
      if (isExcluded || linkedFrom.has(link)) continue;
      linkedFrom.set(link, path);
      queue.push(link);
    }
  };
  const paths = new Set<string>();
  while (queue.length > 0 && paths.size < limit) {
    // The oldest and the newest links: pages near the home page and far from it.
    const batch = [...queue.splice(0, 4), ...queue.splice(-4)].slice(0, limit - paths.size);
    for (const path of batch) paths.add(path);
    await Promise.all(batch.map(visit));
  }
  return { paths, problems };
}
