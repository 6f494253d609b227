import { startOwnStack } from '@forecourt/harness/ownStack';
import { crawl as crawlLinks } from '@forecourt/harness/crawl';
import { noFailures, type Proof, reported, required } from './proof.ts';

const LINKS = 2000;
/** Links from one map to the next. */
const MAP_LINKS = 300;
const MAP = '/cars-for-sale/all/ford/f150?searchRadius=50&view=map&zip=60601';
const STOCK = 20_000;
/** Small enough to visit every vehicle. */
const SMALL_STOCK = 600;
const PAGE_SIZE = 100;

/** Ids of all listings, as the marketplace API pages through them. */
async function allListingIds(api: string): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < SMALL_STOCK; first += PAGE_SIZE) {
    const response = await fetch(`${api}/rest/lsc/listing?numRecords=${PAGE_SIZE}&firstRecord=${first}`);
    const { listings } = (await response.json()) as { listings: { id: string }[] };
    ids.push(...listings.map(({ id }) => id));
  }
  return ids;
}

const VEHICLE = '/cars-for-sale/vehicle/';
const isMap = (path: string): boolean => /[?&]view=map(&|$)/.test(path);
/** A vehicle's page, or another page of the results. */
const isStock = (path: string): boolean => path.startsWith(VEHICLE) || /^[^?]*\?firstRecord=\d+$/.test(path);

export const crawl: Proof = {
  name: 'crawl',
  title: 'Search engines reach every vehicle and meet no redirect',
  limitMs: 15 * 60_000,
  method: `A crawler without JavaScript follows internal links by the rules of \`robots.txt\`, eight at a time. It starts at the home page, which redirects to the results. In a stock of ${STOCK} it requests ${LINKS} links; a redirect, an error or a title that two canonical URLs share is a failure. In a stock of ${SMALL_STOCK} it follows only page links and vehicles until no link is left. Links into the map are \`nofollow\`, because its areas are countless; ${MAP_LINKS} of them are followed as a visitor without JavaScript does.`,
  async run({ onEnd, say }) {
    const startStack = async (inventorySize: number) => {
      const stack = await startOwnStack({ inventorySize });
      onEnd(stack.remove);
      return stack;
    };
    const large = await startStack(STOCK);
    const started = performance.now();
    const links = await crawlLinks(large.urls.shell, { limit: LINKS });
    const seconds = Math.round((performance.now() - started) / 1000);
    const maps = await crawlLinks(large.urls.shell, { limit: MAP_LINKS, start: MAP, follows: isMap });
    // Areas of one place share a title; none is indexed.
    const mapProblems = maps.problems.filter((problem) => !problem.startsWith('title'));
    await large.stop();
    say(`${links.paths.size} links in ${seconds} s`);

    const small = await startStack(SMALL_STOCK);
    const ids = await allListingIds(small.urls['marketplace-api'] as string);
    const stock = await crawlLinks(small.urls.shell, { limit: 10 * SMALL_STOCK, follows: isStock });
    const reached = new Set([...stock.paths].map((path) => path.slice(VEHICLE.length).split('?')[0]));
    const missing = ids.filter((id) => !reached.has(id));
    return [
      reported('Seconds', seconds),
      required('Internal links', links.paths.size, String(LINKS), links.paths.size === LINKS),
      noFailures('links', links.paths.size, links.problems),
      required(
        'Pages with a map among them',
        [...links.paths].filter(isMap).length,
        '0',
        ![...links.paths].some(isMap),
      ),
      noFailures('links from map to map', maps.paths.size, mapProblems),
      noFailures('links of the small stock', stock.paths.size, stock.problems),
      required(
        `Vehicles not reached of ${ids.length}`,
        missing.length,
        '0',
        ids.length > 0 && missing.length === 0,
      ),
    ];
  },
};
