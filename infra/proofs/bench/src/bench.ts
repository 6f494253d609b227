import { buildAll } from '@forecourt/local';
import { buildOneBundle } from './oneBundle/build.ts';
import { browserVersion } from '@forecourt/harness/browser';
import { measurePageCosts } from './pageCosts.ts';
import { measurePeers } from './peers.ts';
import { measurePage } from './pageMeasures.ts';
import { writeCapacity } from './capacity.ts';
import { describeMachine, loadAverage } from '@forecourt/harness/machine';
import { measuresTable, nextSteps, writeResults } from './report.ts';
import { measureSearches } from './search/measureSearch.ts';
import { measureServers } from './serverMeasures.ts';
import { measureVisitorMix } from './visitorMix.ts';
import { type Measurement, runMeasurement } from './runMeasurement.ts';
import { startVariants } from './servers/variants.ts';
import { installTools } from './tools.ts';

const LISTINGS = 100_000;
const PATH = '/cars-for-sale/all/ford/f150?zip=60601&searchRadius=50';

/** The normalized path, so that no redirect is measured. */
async function normalizedPath(origin: string): Promise<string> {
  const { url, status } = await fetch(origin + PATH);
  if (status !== 200) throw new Error(`the page responded ${status}`);
  return url.slice(new URL(url).origin.length);
}

async function bench({ onStart, onStep }: Measurement): Promise<void> {
  await installTools();
  onStep('building stale packages');
  await buildAll();
  await buildOneBundle();
  onStep('starting the stack and one bundle');
  const loadBefore = loadAverage();
  const variants = await startVariants(LISTINGS, PATH, onStart);
  const path = await normalizedPath(variants.composed.url);

  const peers = await measurePeers(variants, path, { onStart, onStep });
  const mix = await measureVisitorMix(LISTINGS, { onStart, onStep });
  const measures = [
    ...(await measurePage(variants, path, onStep)),
    ...(await measureServers(variants, path, onStep)),
    ...(await measurePageCosts(variants, path, onStep)),
    ...peers.measures,
    ...(await measureSearches(variants.stack.urls['marketplace-api'], LISTINGS, onStep)),
  ];
  const table = measuresTable(measures);
  const nextStepText = nextSteps(measures);
  const facts = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench\`: ${describeMachine(await browserVersion())}; load average ${loadBefore} before, ${loadAverage()} after.`,
    `Page \`${path}\`, ${LISTINGS.toLocaleString('en')} listings. Composed page and one bundle were measured in alternating order; medians are shown. On a busy machine, rely on the ratios. Load generator, API and page server share the cores. kB = 1000 bytes.`,
  ];
  writeResults(
    'The page, composed and as one bundle',
    [
      ...facts,
      table,
      ...(nextStepText ? ['Next steps for missed budgets:', nextStepText] : ['Every budget is met.']),
    ].join('\n\n'),
  );
  writeResults(
    'Beside other ways to serve the listings',
    [
      `${facts[0]} All pages show 30 listings of the same API, without compression; \`peers/\` has the others. They have no styles, no model reference, showcase or suggestions, fewer filters, and no isolation of teams. Each search is requested once, over four connections, and no other way to serve it gets it: 800 first, then three times 200, of which the median counts.`,
      peers.table,
      'Pages of 20,000 searches as visitors open them, over eight connections: popularity by Zipf’s law, a fifth of the pages by crawlers, which open any of them, and a twentieth by signed-in visitors. The shell says how each page was made: *hit* and *stale* come from its cache, *join* waited for another visitor’s, *miss* was rendered for all, *own* for one visitor.',
      mix,
      'Opened by Chromium without any cache, on a slow connection (1.44 Mbit/s, 562 ms to a response) and a processor that is slowed four times; medians of five visits. Scripts and requests count until the filters are hydrated (on a phone the toolbar), requests without pictures. “Click to results” is a click on the filter “Used” (on the composed page of a phone, on the button that closes the panel of filters, whose results are fetched after it shows their number) when the page is loaded, until the frame with the number of its matches. The last two columns are another visit, which clicks as soon as the filter is painted and works, in ms from navigation: React InstantSearch loses a click before it is hydrated.',
      peers.visits,
    ].join('\n\n'),
  );
  writeCapacity();
  process.stdout.write(
    `${table}\n\n${peers.table}\n\n${peers.visits}\n${nextStepText ? `\n${nextStepText}\n` : ''}`,
  );
  onStep('done');
}

await runMeasurement(bench, { limitMinutes: 30 });
