import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { COLORS } from '@forecourt/marketplace-api/labels';
import { catalog } from '../catalog/catalog.ts';
import { type StockListing, derivedPrice } from '@forecourt/marketplace-api/stock';
import { METROS } from '@forecourt/marketplace-api/metros';
import { generateInventory, generateOwners } from './generate.ts';

/** `npm run inventory:describe`: writes infra/docs/inventory.md from the generated inventory. */
const TARGET = join(import.meta.dirname, '../../../docs/inventory.md');
const OPTIONS = { size: 100_000, seed: 2026, today: new Date('2026-11-01T00:00:00Z') };
const BAR_WIDTH = 40;

interface Bin {
  readonly label: string;
  readonly count: number;
}

const percent = (count: number, total: number) => `${((count / total) * 100).toFixed(1)} %`;
const thousands = (value: number) => Math.round(value).toLocaleString('en-US');

/** One line per bin: label, bar, share. */
function histogram(bins: readonly Bin[]): string {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const most = bins.reduce((high, { count }) => Math.max(high, count), 1);
  const width = bins.reduce((longest, { label }) => Math.max(longest, label.length), 0);
  const lines = bins.map(({ label, count }) => {
    const bar = '█'.repeat(Math.round((count / most) * BAR_WIDTH)).padEnd(BAR_WIDTH);
    return `${label.padStart(width)} │${bar} ${percent(count, total).padStart(6)}`;
  });
  return ['```', ...lines.map((line) => line.trimEnd()), '```'].join('\n');
}

/** Bins of equal width; the last one is open. */
function spread(values: readonly number[], step: number, last: number, unit: string): string {
  const bins = Array.from({ length: last + 1 }, (_, n): Bin => {
    const count = values.filter((value) => Math.min(last, Math.floor(value / step)) === n).length;
    const from = thousands(n * step);
    return {
      label: n === last ? `${from} ${unit} and more` : `${from} to ${thousands((n + 1) * step)} ${unit}`,
      count,
    };
  });
  return histogram(bins);
}

function shares<Item>(items: readonly Item[], keyOf: (item: Item) => string, limit = 20): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([label, count]) => ({ label, count }));
  const rest = sorted.slice(limit).reduce((sum, { count }) => sum + count, 0);
  return histogram([...sorted.slice(0, limit), ...(rest > 0 ? [{ label: 'all others', count: rest }] : [])]);
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
const daysListedOf = (listings: readonly StockListing[]) => {
  const today = Math.floor(OPTIONS.today.getTime() / 86_400_000);
  return listings.map(({ listedOn }) => today - listedOn);
};

function introduction({ listings, dealers, markets }: Inventory): string {
  const trims = catalog.models.flatMap((model) => model.trims).length;
  return `# The generated inventory

Written by \`npm run inventory:describe -w @forecourt/demo-data\` from ${thousands(listings.length)} listings of seed ${OPTIONS.seed} on 2026-11-01. All figures are measured.

The catalog has ${catalog.makes.length} makes, ${catalog.models.length} models and ${thousands(trims)} trims with their engines, drives, fuel economy and list prices (\`infra/demo-data/src/catalog\`). ${thousands(dealers)} dealers are spread over the towns of ${new Set(markets.values()).size} markets in proportion to their population; every private seller has one vehicle.

How a listing is generated (\`infra/demo-data/src/inventory\`):

- **Seller**: 8 % are private; the others are dealers of the market, drawn by size. Franchise dealers sell their makes new and certified, and other makes as trade-ins; independent dealers sell used cars; one dealer in ten sells commercial vehicles.
- **Vehicle**: a model in proportion to its yearly sales; a trim and engine sold in that model year, expensive ones less often. Used cars are 0 to 15 model years old; certified ones at most 6, with less than 80,000 miles.
- **Mileage**: 12,000 miles a year, times a log-normal factor (σ = 0.38). New cars have some test-drive miles.
- **Price**: list price of its year (growing 2.8 % a year), less 10 % at once and 8 to 17 % a year by make and fuel, adjusted for mileage above or below average (e^(Δ/210,000)) and certification; the asking price varies around that value (log-normal, σ = 3.5 % new, 7.5 % used).
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
${row('Miles, used', milesOf(used))}
${row('Days listed', daysListedOf(listings))}
${row(
  'Views',
  listings.map(({ viewCount }) => viewCount),
)}
`;
}

function histograms({ listings, markets }: Inventory): string {
  const used = listings.filter((listing) => !isNew(listing));
  const year = OPTIONS.today.getUTCFullYear();
  const ages = used.map((listing) => Math.max(0, year - listing.year));
  const sections: readonly (readonly [title: string, body: string])[] = [
    ['Price of new vehicles', spread(pricesOf(listings.filter(isNew)), 10_000, 12, '$')],
    ['Price of used and certified vehicles', spread(pricesOf(used), 5000, 14, '$')],
    ['Mileage of used vehicles', spread(milesOf(used), 15_000, 14, 'miles')],
    ['Age of used vehicles in model years', spread(ages, 1, 15, 'years')],
    ['Condition', shares(listings, ({ listingType }) => LISTING_TYPE_LABELS[listingType])],
    ['Deals', shares(listings, ({ dealIndicator }) => dealIndicator ?? 'not rated')],
    ['Days listed', spread(daysListedOf(listings), 10, 12, 'days')],
    ['Makes', shares(listings, ({ make }) => make.name)],
    ['Body styles', shares(listings, ({ bodyStyle }) => BODY_STYLES[bodyStyle].label)],
    ['Fuel', shares(listings, ({ fuel }) => FUEL_GROUPS[fuel])],
    ['Exterior colors', shares(listings, ({ extColor = '' }) => COLORS[extColor]?.label ?? 'unknown')],
    ['Sellers by market', shares([...markets.values()], (market) => market)],
  ];
  return sections.map(([title, body]) => `## ${title}\n\n${body}\n`).join('\n');
}

const marketNames = new Map(METROS.map(({ dma, name, state }) => [dma, `${name}, ${state}`]));
const markets = new Map<string, string>();
let dealers = 0;
for (const owner of generateOwners(OPTIONS)) {
  markets.set(owner.id, marketNames.get(owner.dma) ?? owner.dma);
  if (owner.sellerType === 'd') dealers += 1;
}
const inventory: Inventory = { listings: [...generateInventory(OPTIONS)], dealers, markets };
writeFileSync(TARGET, [introduction(inventory), figures(inventory), histograms(inventory)].join('\n'));
