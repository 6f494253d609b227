import { normalizeUrl } from '@forecourt/search/decode';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BRANDS } from '@forecourt/search/brands';
import { createSlugReference, EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { emptySearch, type SearchState } from '@forecourt/search/state';
import { buildListing, buildState } from '@forecourt/search/testing';
import { searchResponseSchema, type Listing } from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { z } from 'zod';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import { asFallback } from '../../engine/testing/appRig.ts';
import { robotsOf, structuredDataOf } from './structuredData.ts';

const ORIGIN = 'https://cars.example';
const NASTY = '</script><!--\u2028"\'&';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(options: Parameters<typeof startShell>[0] = {}): Promise<ShellRig> {
  const rig = await startShell(options);
  rigs.push(rig);
  return rig;
}

/** As search engines want it: schema.org's words, absolute URLs, nothing else. */
const absolute = z.url({ protocol: /^https?$/ });
const word = z.string().min(1);
const structuredDataSchema = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@graph': z.tuple([
    z.strictObject({
      '@type': z.literal('BreadcrumbList'),
      itemListElement: z.array(
        z.strictObject({
          '@type': z.literal('ListItem'),
          position: z.number().int().min(1),
          name: word,
          item: absolute,
        }),
      ),
    }),
    z.strictObject({
      '@type': z.literal('ItemList'),
      numberOfItems: z.number().int().nonnegative(),
      itemListElement: z.array(
        z.strictObject({
          '@type': z.literal('ListItem'),
          position: z.number().int().min(1),
          url: absolute,
        }),
      ),
    }),
  ]),
});

const crumbs: SearchState['breadcrumbs'] = [
  { key: 'home', label: 'Home', href: '/' },
  { key: 'make', label: NASTY, href: '/cars-for-sale/all/ford' },
];

describe('structured data', () => {
  const dataOf = (search: Partial<SearchState>) =>
    structuredDataSchema.parse(JSON.parse(structuredDataOf(buildState(search).search, ORIGIN)));

  it('describes breadcrumbs and vehicles in schema.org’s vocabulary', () => {
    const { '@graph': graph } = dataOf({
      breadcrumbs: crumbs,
      listings: [buildListing()],
      totalResultCount: 31,
      firstLoadedRecord: 30,
    });
    const [trail, list] = graph;
    expect(trail.itemListElement.map(({ position, item }) => [position, item])).toEqual([
      [1, `${ORIGIN}/`],
      [2, `${ORIGIN}/cars-for-sale/all/ford`],
    ]);
    expect(list.numberOfItems).toBe(31);
    expect(list.itemListElement[0]).toMatchObject({
      position: 31,
      url: `${ORIGIN}/cars-for-sale/vehicle/1001`,
    });
  });

  it('is valid for any vehicles and cannot end its element', () => {
    const listing = fc
      .record(
        {
          vdpBaseUrl: fc.constantFrom(undefined, '/cars-for-sale/vehicle/x?y=1', `/${NASTY}`),
        },
        { requiredKeys: [] },
      )
      .map((part) => buildListing(part as Partial<Listing>));
    fc.assert(
      fc.property(fc.array(listing, { maxLength: 5 }), (listings) => {
        const search = buildState({
          breadcrumbs: crumbs,
          listings,
          totalResultCount: listings.length,
        }).search;
        const json = structuredDataOf(search, ORIGIN);
        expect(json).not.toMatch(/<|\u2028/);
        structuredDataSchema.parse(JSON.parse(json));
      }),
    );
  });

  it('is in the page', async () => {
    const { send } = await start({
      answers: {
        search: () =>
          searchResponseSchema.parse({ listings: [buildListing()], owners: [], totalResultCount: 1 }),
      },
    });
    const { text } = await send('/cars-for-sale/all-cars');
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(structuredDataSchema.parse(JSON.parse(json))['@graph'][1].itemListElement).toHaveLength(1);
  });
});

describe('search engine index', () => {
  const REFERENCE = createSlugReference({
    makes: [
      { code: 'FORD', name: 'Ford', slug: 'ford', models: [{ code: 'F150', name: 'F-150', slug: 'f150' }] },
    ],
  });
  const robots = (url: string, totalResultCount = 5) => {
    const normalised = normalizeUrl(url, REFERENCE);
    if (normalised.kind === 'notFound') throw new Error(url);
    return robotsOf({ ...emptySearch, criteria: normalised.criteria, totalResultCount });
  };

  it.each([
    '/cars-for-sale/all-cars',
    '/cars-for-sale/used/ford/f150?searchRadius=50&zip=60601',
    '/cars-for-sale/all/2021/ford/f150',
    '/cars-for-sale/all/ford/f150/chicago-il',
    '/cars-for-sale/all/truck',
    '/cars-for-sale/all/ford/f150?extColorSimple=BLUE',
  ])('includes %s', (url) => {
    expect(robots(url)).toBeUndefined();
  });

  it.each([
    '/cars-for-sale/all/ford/f150?doorCode=4&driveGroup=AWD4WD&extColorSimple=BLUE',
    '/cars-for-sale/all-cars?doorCode=4&driveGroup=AWD4WD&extColorSimple=BLUE',
    '/cars-for-sale/all/ford/f150?monthlyPayment=400',
    '/cars-for-sale/all-cars?keyword=red+pickup',
    '/cars-for-sale/all-cars?isSponsorship=true&showcaseOwnerId=d1',
    '/cars-for-sale/all-cars?expiredListing=1',
  ])('excludes %s', (url) => {
    expect(robots(url)).toBe('noindex, follow');
  });

  it('excludes pages without vehicles', () => {
    expect(robots('/cars-for-sale/all/ford', 0)).toBe('noindex, follow');
  });

  it('is controlled by the page’s header', async () => {
    const { send } = await start();
    expect((await send('/cars-for-sale/all-cars')).headers['x-robots-tag']).toBe('noindex, follow');
  });
});

describe('crawler files', () => {
  const links = (xml: string) =>
    [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));

  it('robots.txt disallows the API and names the sitemap', async () => {
    const { send, port } = await start();
    const { headers, text } = await send('/robots.txt');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain('Disallow: /cars-for-sale/api/\n');
    expect(text).toContain(`Sitemap: http://127.0.0.1:${port}/sitemap.xml`);
    expect(text).not.toMatch(/^Disallow: \/(cars-for-sale\/?)?$/m);
  });

  it('serves the logo as favicon', async () => {
    const { send } = await start();
    const { headers, text } = await send('/favicon.ico');
    expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(text).toMatch(/^<svg /);
  });

  it('serves a web app manifest whose links exist', async () => {
    const { send } = await start();
    const { headers, text } = await send('/manifest.webmanifest');
    expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(text) as { name: string; start_url: string; icons: { src: string }[] };
    expect(manifest.name).toBe(BRANDS.atc.name);
    for (const path of [manifest.start_url, ...manifest.icons.map(({ src }) => src)])
      expect((await send(path)).status).toBe(200);
  });

  it('serves icons as PNG in the sizes that the manifest and the home screens of iOS name', async () => {
    const { port } = await start();
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const { icons } = (await (await get('/manifest.webmanifest')).json()) as {
      icons: { src: string; sizes: string; type: string; purpose: string }[];
    };
    const png = icons.filter(({ type }) => type === 'image/png');
    expect(png.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable']);
    for (const { src, sizes } of [...png, { src: '/icons/180.png', sizes: '180x180' }]) {
      const response = await get(src);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get('content-type')).toBe('image/png');
      // Width and height of the header chunk.
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
    for (const unknown of ['/icons/64.png', '/icons/constructor'])
      expect((await get(unknown)).status).toBe(404);
  });

  it('sitemap files contain normalized crawl paths', async () => {
    const crawl = (link: string, count: number) => ({
      value: 'x',
      label: 'x',
      link,
      count,
      avgPrice: 1,
      startingPrice: 1,
      maxPrice: 1,
    });
    const { send } = await start({
      answers: {
        modelYears: (params) => ({
          links:
            params.get('modelCode') === 'F150'
              ? [crawl('/cars-for-sale/all/2021/ford/f150', 3), crawl('/cars-for-sale/all/1990/ford/f150', 0)]
              : [],
        }),
        trims: () => ({ links: [crawl('/cars-for-sale/all/ford/f150?trimCode=F150%7CXLT', 2)] }),
        vehicleSitemap: () => ({ files: [{ file: 2, changedOn: '2026-11-03' }], vehicles: [] }),
      },
    });
    const index = await send('/sitemap.xml');
    expect(index.headers['content-type']).toMatch(/^application\/xml/);
    const files = links(index.text).map((url) => new URL(url).pathname);
    expect(files).toEqual(['/sitemaps/searches.xml', '/sitemaps/ford.xml', '/sitemaps/vehicles-2.xml']);
    expect(index.text).toContain('/sitemaps/vehicles-2.xml</loc><lastmod>2026-11-03</lastmod>');
    files.pop();
    const pages = (await Promise.all(files.map(async (file) => links((await send(file)).text)))).flat();
    const paths = pages.map((url) => url.slice(new URL(url).origin.length));
    expect(paths).toEqual(
      expect.arrayContaining([
        '/cars-for-sale/all-cars',
        '/cars-for-sale/used',
        '/cars-for-sale/all/truck',
        '/cars-for-sale/all/electric',
        '/cars-for-sale/all/ford',
        '/cars-for-sale/all/ford/f150',
        '/cars-for-sale/all/2021/ford/f150',
      ]),
    );
    expect(paths).not.toContain('/cars-for-sale/all/1990/ford/f150');
    for (const path of paths) expect((await send(path)).status).toBe(200);
  });

  it('lists the vehicles of a file with the day of their last change', async () => {
    const { send } = await start({
      answers: {
        vehicleSitemap: (params) => ({
          files: [],
          vehicles: params.get('file') === '2' ? [{ id: 'a/1', changedOn: '2026-11-01' }] : [],
        }),
      },
    });
    const { text, headers } = await send('/sitemaps/vehicles-2.xml');
    expect(headers['content-type']).toMatch(/^application\/xml/);
    expect(text).toMatch(
      /<url><loc>[^<]+\/cars-for-sale\/vehicle\/a%2F1<\/loc><lastmod>2026-11-01<\/lastmod><\/url>/,
    );
    for (const name of ['vehicles-3', 'vehicles-0', 'vehicles-x'])
      expect((await send(`/sitemaps/${name}.xml`)).status).toBe(404);
  });

  it('an incomplete sitemap is an uncached error', async () => {
    const withHoles = await start({
      answers: {
        modelYears: () => asFallback({ links: [] }),
        trims: () => ({ links: [] }),
        vehicleSitemap: () => ({ files: [], vehicles: [] }),
      },
    });
    const withoutMakes = await start({
      deps: {
        reference: {
          current: () => EMPTY_SLUG_REFERENCE,
          data: () => ({ makes: [] }),
          renew: () => Promise.resolve(false),
          start: () => Promise.resolve(),
          stop: () => {},
        },
      },
    });
    const answers = [
      await withHoles.send('/sitemaps/ford.xml'),
      await withoutMakes.send('/sitemap.xml'),
      await withoutMakes.send('/sitemaps/searches.xml'),
      await withoutMakes.send('/sitemaps/ford.xml'),
    ];
    for (const { status, headers } of answers) {
      expect(status).toBe(503);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '60' });
    }
    expect((await withHoles.send('/sitemap.xml')).status).toBe(200);
  });

  it.each(['/sitemaps/fjord.xml', '/sitemaps/../metrics', '/sitemaps/ford.txt', '/sitemaps/__proto__.xml'])(
    'returns 404 for %s',
    async (path) => {
      const { send } = await start();
      expect((await send(path)).status).toBe(404);
    },
  );
});
