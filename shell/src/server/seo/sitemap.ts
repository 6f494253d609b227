import type { CrawlLink } from '@forecourt/shared-contracts/entities';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { FilterValues, SlugData, SlugReference } from '@forecourt/shared-contracts/criteria';
import { escapeHtml } from '../compose/html.ts';

/** Of one file (sitemaps.org); the same for files of an index. */
const MAX_URLS = 50_000;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Name of the file with the pages that belong to no make. */
export const COMMON_SITEMAP = 'searches';

const BODY_STYLES = ['TRUCKS', 'SUVCROSS', 'VANMV', 'SEDAN', 'HATCH', 'COUPE', 'CONVERT'];
const FUELS = ['ELE', 'GSL', 'DSL', 'HYB', 'PIH'];
const CONDITIONS = ['NEW', 'USED', 'CERTIFIED'];

const pathOf = (filters: FilterValues, reference: SlugReference): string =>
  encodeUrl({ filters, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] }, reference);

/** `sitemap.xml`: one file for what belongs to no make, one a make. */
export function sitemapIndex({ makes }: SlugData, origin: string): string {
  const files = [COMMON_SITEMAP, ...makes.map(({ slug }) => slug)].slice(0, MAX_URLS);
  const entries = files.map(
    (name) => `<sitemap><loc>${escapeHtml(`${origin}/sitemaps/${name}.xml`)}</loc></sitemap>`,
  );
  return `${XML}<sitemapindex ${NAMESPACE}>${entries.join('')}</sitemapindex>`;
}

export function urlSet(paths: readonly string[], origin: string): string {
  const entries = [...new Set(paths)]
    .slice(0, MAX_URLS)
    .map((path) => `<url><loc>${escapeHtml(origin + path)}</loc></url>`);
  return `${XML}<urlset ${NAMESPACE}>${entries.join('')}</urlset>`;
}

/** Paths of the searches by condition, body style and fuel, and of each make. */
export const commonPaths = ({ makes }: SlugData, reference: SlugReference): string[] => [
  pathOf({}, reference),
  ...CONDITIONS.map((code) => pathOf({ listingType: [code] }, reference)),
  ...BODY_STYLES.map((code) => pathOf({ vehicleStyleCode: [code] }, reference)),
  ...FUELS.map((code) => pathOf({ fuelTypeGroup: [code] }, reference)),
  ...makes.map(({ code }) => pathOf({ makeCode: [code] }, reference)),
];

/** What a make's file needs of the crawl calls: the years and trims that are for sale, with their links. */
export type CrawlPaths = (makeCode: string, modelCode: string) => Promise<readonly CrawlLink[]>;

/** Paths of one make: itself, by condition, and each model with the years and trims of its crawl paths. */
export async function makePaths(
  make: SlugData['makes'][number],
  reference: SlugReference,
  crawlPaths: CrawlPaths,
): Promise<string[]> {
  const makeCode = [make.code];
  const paths = [
    pathOf({ makeCode }, reference),
    ...CONDITIONS.map((code) => pathOf({ makeCode, listingType: [code] }, reference)),
  ];
  // Sequential: a sitemap is not urgent, and shoppers use the same upstream.
  for (const { code } of make.models) {
    const links = await crawlPaths(make.code, code);
    if (links.length === 0) continue;
    paths.push(pathOf({ makeCode, modelCode: [code] }, reference));
    paths.push(...links.filter(({ count }) => count > 0).map(({ link }) => link));
  }
  return paths;
}
