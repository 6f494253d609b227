import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import { COLORS } from '@forecourt/marketplace-api/labels';
import { catalog } from '../catalog/catalog.ts';
import { type StockListing, derivedPrice } from '@forecourt/marketplace-api/stock';
import { METROS } from '@forecourt/marketplace-api/metros';
import { generateInventory, generateOwners } from './generate.ts';

/** `npm run inventory:describe`: writes infra/docs/inventory.md from the generated inventory. */
const TARGET = join(import.meta.dirname, '../../../docs/inventory.md');
const OPTIONS = { size: 100_000, seed: 2026, today: new Date('2026-11-01T00:00:00Z') };

const percent = (count: number, total: number) => `${((count / total) * 100).toFixed(1)} %`;
const thousands = (value: number) => Math.round(value).toLocaleString('en-US');

/** The most frequent values with their shares, in one line. */
function shares<Item>(items: readonly Item[], keyOf: (item: Item) => string, limit = 5): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([label, count]) => `${label} ${percent(count, items.length)}`)
    .join(', ');
}

function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.05, 0.25, 0.5, 0.75, 0.95]
    .map((share) => thousands(sorted[Math.floor(share * (sorted.length - 1))] ?? 0))
    .join(' | ');
}

interface Inventory {
  readonly listings: readonly StockListing[];
  readonly dealers: number;
  /** Market of each owner. */
  readonly markets: ReadonlyMap<string, string>;
}

const isNew = ({ listingType }: StockListing) => listingType === 'NEW';
const pricesOf = (listings: readonly StockListing[]) =>
  listings.flatMap((listing) => derivedPrice(listing) ?? []);
const milesOf = (listings: readonly StockListing[]) => listings.flatMap(({ mileage }) => mileage ?? []);
const agesOf = (listings: readonly StockListing[]) =>
  listings.map(({ year }) => Math.max(0, OPTIONS.today.getUTCFullYear() - year));
const daysListedOf = (listings: readonly StockListing[]) => {
  const today = Math.floor(OPTIONS.today.getTime() / 86_400_000);
  return listings.map(({ listedOn }) => today - listedOn);
};

function introduction({ listings, dealers, markets }: Inventory): string {
  const trims = catalog.models.flatMap((model) => model.trims).length;
  return `# The generated inventory

Written by \`npm run inventory:describe -w @forecourt/demo-data\` from ${thousands(listings.length)} listings of seed ${OPTIONS.seed}.

The catalog has ${catalog.makes.length} makes, ${catalog.models.length} models and ${thousands(trims)} trims with their engines, drives, fuel economy and list prices (\`infra/demo-data/src/catalog\`). ${thousands(dealers)} dealers are spread over the towns of ${new Set(markets.values()).size} markets in proportion to their population; every private seller has one vehicle.

How a listing is generated (\`infra/demo-data/src/inventory\`):

- **Seller**: 8 % are private; the others are dealers of the market, drawn by size. Franchise dealers sell their makes new and certified; independent dealers sell used cars; one dealer in ten sells commercial vehicles.
- **Vehicle**: a model in proportion to its yearly sales; a trim and engine sold in that model year, expensive ones less often. Used cars are 0 to 15 model years old; certified ones at most 6, with less than 80,000 miles.
- **Mileage**: 12,000 miles a year, times a log-normal factor (σ = 0.38). New cars have some test-drive miles.
- **Price**: list price of its year, depreciated by age, make and fuel, and adjusted for mileage and certification; the asking price varies around that value (log-normal, σ = 3.5 % new, 7.5 % used).
- **Deal**: asking price against that value: under 0.92 great, under 0.97 good, under 1.06 fair, else high; 8 % of used and 45 % of new listings are not rated.
- **Days listed**: exponential, mean 34 days used and 48 new, at most 200. 28 % of older used listings were reduced.
`;
}

function figures({ listings }: Inventory): string {
  const row = (name: string, values: readonly number[]) => `| ${name} | ${quantiles(values)} |`;
  const used = listings.filter((listing) => !isNew(listing));
  return `| | 5 % | 25 % | median | 75 % | 95 % |
| --- | --: | --: | --: | --: | --: |
${row('Price, new, $', pricesOf(listings.filter(isNew)))}
${row('Price, used, $', pricesOf(used))}
${row('Model years, used', agesOf(used))}
${row('Miles, used', milesOf(used))}
${row('Days listed', daysListedOf(listings))}
${row(
  'Views',
  listings.map(({ viewCount }) => viewCount),
)}
`;
}

function distributions({ listings, markets }: Inventory): string {
  const lines: readonly (readonly [title: string, body: string])[] = [
    ['Conditions', shares(listings, ({ listingType }) => LISTING_TYPE_LABELS[listingType])],
    ['Deals', shares(listings, ({ dealIndicator }) => dealIndicator ?? 'not rated')],
    ['Makes', shares(listings, ({ make }) => make.name)],
    [
      'Body styles',
      shares(listings, ({ bodyStyle }) => (bodyStyle ? BODY_STYLES[bodyStyle].label : 'unknown')),
    ],
    ['Fuels', shares(listings, ({ fuel }) => (fuel ? FUEL_GROUPS[fuel] : 'unknown'))],
    ['Exterior colors', shares(listings, ({ extColor = '' }) => COLORS[extColor]?.label ?? 'unknown')],
    ['Sellers by market', shares([...markets.values()], (market) => market)],
  ];
  return `The most frequent values:\n\n${lines.map(([title, body]) => `- **${title}**: ${body}\n`).join('')}`;
}

const marketNames = new Map(METROS.map(({ dma, name, state }) => [dma, `${name}, ${state}`]));
const markets = new Map<string, string>();
let dealers = 0;
for (const owner of generateOwners(OPTIONS)) {
  markets.set(owner.id, marketNames.get(owner.dma) ?? owner.dma);
  if (owner.sellerType === 'd') dealers += 1;
}
const inventory: Inventory = { listings: [...generateInventory(OPTIONS)], dealers, markets };
writeFileSync(TARGET, [introduction(inventory), figures(inventory), distributions(inventory)].join('\n'));
