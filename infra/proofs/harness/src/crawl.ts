import { getPage, unescapeHtml } from './serverHtml.ts';

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
