import { runTool } from '@forecourt/harness/photoFeed';
import { equal, type Finding, required, until } from '../proof.ts';
import { DEALER_AUTHORIZATION, GOOD_PHOTOS, REFUSED_PHOTOS, SOURCE, VIN } from './dealerFeed.ts';
import { FEED_HOST, FORGED_FEED_HOST, MOVED_FEED_HOST, PHOTO_HOSTS } from './hosts.data.ts';
import { SITE, type Site, writeFeeds } from './services.ts';
import type { Internet } from './startInternet.ts';

/** ms in which an import, or all photos, are done on a busy machine. */
const LIMIT_MS = 90_000;

/** Runs a command of the API on the site's data. */
export const runOnSite = ({ stack, feeds }: Site, script: string, ...args: string[]): Promise<string> =>
  runTool(stack.dataDir, { FEEDS_FILE: feeds, DEALER_AUTHORIZATION }, script, ...args);

/** Why the feed isn't imported. */
async function refusalOf(site: Site, from: string): Promise<string> {
  const feeds = writeFeeds(site.folder, from);
  try {
    return await runOnSite({ ...site, feeds }, 'src/import.ts', '--feed', SOURCE);
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}

async function checkRefusedFeeds(site: Site): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, from, reason] of [
    ['in plain text', `http://${FEED_HOST}/stock.csv`, 'is sent over https only'],
    ['from a server with a certificate of others', `https://${FORGED_FEED_HOST}/stock.csv`, 'altnames'],
    ['that redirects to the metadata address', `https://${MOVED_FEED_HOST}/stock.csv`, 'REFUSED'],
  ] as const) {
    const output = await refusalOf(site, from);
    const isRefused = output.includes(reason);
    findings.push(required(`Feed ${what}`, isRefused ? reason : output, reason, isRefused));
  }
  return findings;
}

/** Id of the dealer's vehicle, once its feed is imported. */
export async function dealersListing({ stack }: Site): Promise<string> {
  let id: number | string | undefined;
  await until(
    'the feed is imported',
    async () => {
      const response = await fetch(`${stack.urls['marketplace-api']}/rest/lsc/listing?vin=${VIN}`);
      ({ id } = ((await response.json()) as { listings?: { id: number }[] }).listings?.[0] ?? {
        id: undefined,
      });
      return id !== undefined;
    },
    { limitMs: LIMIT_MS, everyMs: 200 },
  );
  return String(id);
}

/** Problem of each photo that the site doesn't have, by its URL. */
async function missingPhotos(site: Site): Promise<ReadonlyMap<string, string>> {
  const [, ...lines] = (await runOnSite(site, 'src/photos.ts', 'missing', '--source', SOURCE))
    .trim()
    .split('\n');
  return new Map(lines.map((line) => [line.split(',')[4]!, line.split(',')[5]!] as const));
}

/** How the photos in the page of the listing are answered through the edge of a site, each with its type. */
export async function photosInPage(site: string, listing: string): Promise<string[]> {
  const page = await (await fetch(`${site}/cars-for-sale/vehicle/${listing}`)).text();
  const paths = new Set([...page.matchAll(/\/pictures\/photos\/[0-9a-f]{32}/g)].map(([path]) => path));
  const urls = [...paths].map((path) => new RegExp(`${path}[^"\\s,&]*`).exec(page)![0]);
  return Promise.all(
    urls.map(async (url) => {
      const { status, headers } = await fetch(site + url, { headers: { Accept: 'image/avif,image/webp' } });
      return `${status} ${headers.get('content-type')}`;
    }),
  );
}

/** A dealer's feed over HTTPS, and its photos over IPv4, IPv6 and both. */
export async function checkDealer(site: Site, internet: Internet, listing: string): Promise<Finding[]> {
  let missing = await missingPhotos(site);
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline;) {
    if (![...missing.values()].includes('WAITING')) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
    missing = await missingPhotos(site);
  }
  const stored = (host: string) =>
    GOOD_PHOTOS.filter((url) => new URL(url).hostname === host && !missing.has(url)).length;
  const photos = await photosInPage(SITE, listing);
  return [
    ...(await checkRefusedFeeds(site)),
    equal(
      'Feed: over HTTPS, with its authorization',
      internet.requests(FEED_HOST).filter(({ isTls }) => isTls).length,
      1,
    ),
    ...Object.entries(PHOTO_HOSTS).map(([kind, host]) =>
      equal(`Photos: stored from a host with ${NAMES[kind as keyof typeof NAMES]}`, stored(host), 2),
    ),
    equal(
      'Photos in the page of the vehicle, through the edge',
      [...new Set(photos)].join() + ` (${photos.length})`,
      `200 image/avif (${GOOD_PHOTOS.length})`,
    ),
    ...REFUSED_PHOTOS.map((url) => equal(`Photo refused: ${url}`, missing.get(url) ?? 'stored', 'REFUSED')),
  ];
}

const NAMES: Readonly<Record<keyof typeof PHOTO_HOSTS, string>> = {
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  both: 'both',
  halfDead: 'both, of which IPv6 doesn’t respond',
};
