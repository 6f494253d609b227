import type { StockOwner } from '@forecourt/marketplace-api/stock';
import { catalog } from '../catalog/catalog.ts';
import { type CatalogMake, slugFromName } from '@forecourt/marketplace-api/catalog';
import { nearestMetro, METROS } from '@forecourt/marketplace-api/metros';
import { choiceOf, createRandom, type Random } from './random.ts';
import { milesBetween, type ZipPlace, type ZipDirectory } from '@forecourt/marketplace-api/places';

/** A generated dealer, with what determines its stock. */
export interface Dealer {
  readonly owner: StockOwner;
  /** Codes of the makes it sells new; none for an independent dealer. */
  readonly franchises: readonly string[];
  readonly isCommercial: boolean;
  /** Share of the market's stock. */
  readonly weight: number;
  readonly deliversFar: boolean;
  readonly givesMoneyBack: boolean;
}

/** Makes that share a showroom. */
const SHOWROOMS: readonly (readonly [makes: readonly string[], sign: string])[] = [
  [['CHRYSLER', 'DODGE', 'JEEP', 'RAM'], 'Chrysler Dodge Jeep Ram'],
  [['BUICK', 'GMC'], 'Buick GMC'],
  [['JAGUAR', 'LANDROVER'], 'Jaguar Land Rover'],
  [['ALFAROMEO', 'FIAT'], 'Alfa Romeo FIAT'],
];

interface Franchise {
  readonly makes: readonly string[];
  readonly sign: string;
  readonly weight: number;
}

const NAMES = (
  'Lakeside,Prairie,Summit,Riverbend,Harbor,Northgate,Southtown,Westfield,Eastlake,Heritage,Liberty,' +
  'Pioneer,Cornerstone,Beacon,Crestview,Oakmont,Fairway,Gateway,Keystone,Meridian,Highland,Stonebridge,' +
  'Brookhaven,Ridgeline,Clearwater,Ashford,Hollis,Marlow,Bennett,Callahan,Dunbar,Ellery,Garrison,Hadley,' +
  'Kessler,Landry,Merrick,Norwood,Prescott,Quinlan,Rawlins,Sterling,Thornton,Underhill,Vance,Whitaker'
).split(',');
const INDEPENDENT_SIGNS = ['Auto Sales', 'Motors', 'Auto Group', 'Pre-Owned', 'Auto Center', 'Car Company'];
const STREETS = [
  'Main St',
  'Auto Mall Dr',
  'Commerce Blvd',
  'Highway 20',
  'Washington Ave',
  'Lake Rd',
  'Motor Mile',
];
const TAGLINES = [
  'Family owned for three generations',
  'No-haggle prices on every car',
  'Free oil changes for a year',
  'Open on Sundays',
  'Home delivery within 100 miles',
  'Lifetime powertrain warranty',
];
const HOME_SERVICES = {
  BUY_ONLINE: 0.35,
  HOME_DELIVERY: 0.5,
  TEST_DRIVE: 0.4,
  VIRTUAL_WALKAROUND: 0.45,
} as const;
const CALLS_TO_ACTION = choiceOf({ email: 76, phone: 14, website: 10 });
const DEALER_STREAM = 1_000_003;

/** The dealers of every market; the same for the same seed. */
export function planDealers(
  seed: number,
  dealerCount: number,
  markets: readonly Market[],
  year: number,
): Dealer[] {
  const franchises = franchisesOn(year);
  return apportion(
    markets.map((market) => market.population),
    dealerCount,
  ).flatMap((count, marketIndex) => {
    const market = markets[marketIndex];
    if (!market || count === 0) return [];
    const random = createRandom(seed, DEALER_STREAM + marketIndex);
    const granted = new Map<Franchise, number>();
    const taste = new Map(franchises.map((franchise) => [franchise, 0.6 + 0.8 * random.next()]));
    return Array.from({ length: count }, (_, place): Dealer => {
      const kind = kindAt(place);
      const franchise = kind === 'franchise' ? nextFranchise(franchises, granted, taste) : undefined;
      return openDealer(random, market, { marketIndex, place, kind, franchise });
    });
  });
}

type DealerKind = 'franchise' | 'independent' | 'commercial';

function kindAt(place: number): DealerKind {
  const turn = place % 10;
  if (turn === 9) return 'commercial';
  return turn === 2 || turn === 5 || turn === 7 ? 'independent' : 'franchise';
}

/** The next franchise by the makes' shares (D'Hondt), weighted by the market's preferences. */
function nextFranchise(
  franchises: readonly Franchise[],
  granted: Map<Franchise, number>,
  taste: ReadonlyMap<Franchise, number>,
): Franchise | undefined {
  let best: Franchise | undefined;
  let bestClaim = 0;
  for (const franchise of franchises) {
    const claim = (franchise.weight * (taste.get(franchise) ?? 1)) / ((granted.get(franchise) ?? 0) + 1);
    if (claim > bestClaim) [best, bestClaim] = [franchise, claim];
  }
  if (best) granted.set(best, (granted.get(best) ?? 0) + 1);
  return best;
}

function franchisesOn(year: number): Franchise[] {
  const selling = catalog.makes.filter((make) => make.models.some((model) => model.lastYear >= year));
  const grouped = new Set(SHOWROOMS.flatMap(([makes]) => makes));
  const singles = selling
    .filter((make) => !grouped.has(make.code))
    .map((make) => ({ makes: [make.code], sign: make.name, weight: showroomWeight([make]) }));
  const groups = SHOWROOMS.map(([codes, sign]) => {
    const makes = selling.filter((make) => codes.includes(make.code));
    return { makes: makes.map((make) => make.code), sign, weight: showroomWeight(makes) };
  });
  return [...groups, ...singles];
}

/** Rarer makes have more showrooms for their sales than common ones. */
function showroomWeight(makes: readonly CatalogMake[]): number {
  const codes = new Set(makes.map((make) => make.code));
  const sales = catalog.models
    .filter((model) => codes.has(model.makeCode))
    .reduce((sum, model) => sum + model.yearlySales, 0);
  return sales ** 0.8;
}

interface Opening {
  readonly marketIndex: number;
  readonly place: number;
  readonly kind: DealerKind;
  readonly franchise: Franchise | undefined;
}

/** Dealers per market with six-digit ids; larger markets use longer ids. */
const SHORT_IDS = 1_000;
const dealerId = (marketIndex: number, placeIndex: number): string =>
  placeIndex < SHORT_IDS
    ? String(100_000 + marketIndex * SHORT_IDS + placeIndex)
    : String(1_000_000_000 + marketIndex * 1_000_000 + placeIndex);

function openDealer(random: Random, market: Market, opening: Opening): Dealer {
  const { kind, franchise, place: placeIndex } = opening;
  const site = random.pick(market.places);
  const name = dealerName(random, kind, franchise, site.city);
  const ratingCount = Math.round(Math.exp(4.2 + random.normal()));
  const isAlpha = kind === 'franchise' && (placeIndex === 0 || placeIndex === 8);
  const services = Object.entries(HOME_SERVICES)
    .filter(([, share]) => random.chance(share))
    .map(([code]) => code);
  const owner: StockOwner = {
    id: dealerId(opening.marketIndex, placeIndex),
    name,
    sellerType: 'd',
    phone: phoneNumber(random),
    website: `https://www.${slugFromName(name)}.example`,
    address: `${random.int(100, 9800)} ${random.pick(STREETS)}`,
    city: site.city,
    state: site.state,
    zip: site.zip,
    latitude: round4(site.latitude + (random.next() - 0.5) / 80),
    longitude: round4(site.longitude + (random.next() - 0.5) / 80),
    dma: nearestMetro(site.latitude, site.longitude).dma,
    ...(random.chance(0.88) && {
      rating: { value: Math.round((5 - Math.abs(random.normal()) * 0.55) * 10) / 10, count: ratingCount },
    }),
    homeServices: services,
    preferredCta: CALLS_TO_ACTION.draw(random),
    hideEmailForm: random.chance(0.05),
    isAlpha,
    ...(isAlpha && placeIndex !== 0 && { hasInventoryShowcase: true }),
    ...((isAlpha || random.chance(0.3)) && { tagline: random.pick(TAGLINES) }),
    ...(kind === 'franchise' && random.chance(0.85) && { leases: true }),
    ...(services.includes('BUY_ONLINE') &&
      random.chance(0.6) && { ecommerce: random.chance(0.75) ? 'full' : 'deemphasized' }),
  };
  return {
    owner,
    franchises: franchise?.makes ?? [],
    isCommercial: kind === 'commercial',
    weight: Math.exp(random.normal() * 0.45) * (kind === 'franchise' ? 1.15 : 0.7),
    deliversFar: random.chance(0.14),
    givesMoneyBack: random.chance(0.12),
  };
}

function dealerName(
  random: Random,
  kind: DealerKind,
  franchise: Franchise | undefined,
  city: string,
): string {
  const name = random.pick(NAMES);
  if (kind === 'commercial') return `${name} Commercial Trucks`;
  if (!franchise)
    return random.chance(0.3)
      ? `${city} ${random.pick(INDEPENDENT_SIGNS)}`
      : `${name} ${random.pick(INDEPENDENT_SIGNS)}`;
  if (random.chance(0.3)) return `${franchise.sign} of ${city}`;
  return random.chance(0.4) ? `${city} ${franchise.sign}` : `${name} ${franchise.sign}`;
}

/** 555-0100 to 555-0199 are reserved for fiction. */
export function phoneNumber(random: Random): string {
  return `(${random.int(201, 989)}) 555-01${String(random.int(0, 99)).padStart(2, '0')}`;
}

function round4(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

/** Seats by largest remainder: whole numbers in proportion that add up to the total. */
function apportion(shares: readonly number[], total: number): number[] {
  const sum = shares.reduce((a, b) => a + b, 0);
  const exact = shares.map((share) => (share / sum) * total);
  const seats = exact.map(Math.floor);
  const left = total - seats.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, left)) seats[index] = (seats[index] ?? 0) + 1;
  return seats;
}

/** A metro with its suburbs, or the rest of the country. */
export interface Market {
  readonly name: string;
  /** Thousands of people. */
  readonly population: number;
  readonly places: readonly ZipPlace[];
}

const SUBURB_MILES = 38;
/** Share of stock outside the metros. */
const COUNTRY_SHARE = 0.07;

/**
 * Some ZIP codes belong to banks, insurers, schools and barracks and carry their
 * name; there are no dealers. Skipping a few towns of such names does no harm.
 */
const NO_TOWN = new RegExp(
  '\\b(?:' +
    'inc|corp|co|comp|company|ins|insurance|bank|bkcard|card|credit|natl|mutual|life|lending|fund|assoc|club|' +
    'dept|svc|services?|systems?|agency|office|bureau|revenue|lottery|correction(?:al)?|prison|ctr|annex|' +
    'afb|apo|fpo|dpo|jrb|naval|navy|army|marine|air force|airfield|reserve|corps|base|' +
    'univ|university|college|school|institute|hospital|international|express|telephone|brm|mail|box|return|fulfill' +
    ')\\b',
  'i',
);

const isTown = ({ city }: Pick<ZipPlace, 'city'>): boolean => !NO_TOWN.test(city);

/** Every metro with the ZIP codes around it, and one market of all other places. */
export function planMarkets(zips: ZipDirectory): Market[] {
  const suburbs = METROS.map((): ZipPlace[] => []);
  const country: ZipPlace[] = [];
  for (const place of zips.all().filter(isTown)) {
    const index = METROS.findIndex(
      (metro) => Math.abs(metro.latitude - place.latitude) < 0.6 && milesBetween(metro, place) < SUBURB_MILES,
    );
    (suburbs[index] ?? country).push(place);
  }
  const people = METROS.reduce((sum, metro) => sum + metro.population, 0);
  return [
    ...METROS.map((metro, index) => ({
      name: metro.name,
      population: metro.population,
      places: suburbs[index] ?? [],
    })),
    { name: 'Country', population: (people * COUNTRY_SHARE) / (1 - COUNTRY_SHARE), places: country },
  ].filter((market) => market.places.length > 0);
}
