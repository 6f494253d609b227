import fc from 'fast-check';
import type { BodyStyle, StockListing, StockOwner } from '../domain/stock.ts';
import type { ListingQuery } from '../search/listingIndex/listingIndex.ts';

const VEHICLES: readonly (readonly [string, string, BodyStyle, readonly string[]])[] = [
  ['FORD', 'F150', 'TRUCKS', ['XLT', 'LARIAT']],
  ['FORD', 'ESCAPE', 'SUVCROSS', ['SE']],
  ['HONDA', 'CIVIC', 'SEDAN', ['LX', 'EX']],
  ['HONDA', 'SHARED', 'HATCH', ['LX']],
  ['KIA', 'SHARED', 'SEDAN', ['LX']],
  ['KIA', 'EV6', 'SUVCROSS', []],
];
const FEATURES = ['SUNROOF', 'LEATHER', 'NAV', 'CAMERA'];
const CHICAGO = { latitude: 41.8858, longitude: -87.6229 };

/** Edges of map areas around Chicago; some sellers are exactly on one. */
const EDGES = [-1.5, -0.5, 0, 0.01, 0.5, 1.5];
const edge = (from: number) =>
  fc.constantFrom(...EDGES.map((offset) => Math.round((from + offset) * 100) / 100));
const area = fc
  .record({ lat: fc.tuple(edge(41.88), edge(41.88)), lon: fc.tuple(edge(-87.62), edge(-87.62)) })
  .map(({ lat, lon }) => ({
    south: Math.min(...lat),
    north: Math.max(...lat),
    west: Math.min(...lon),
    east: Math.max(...lon),
  }));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);

const owners: fc.Arbitrary<StockOwner[]> = fc
  .array(
    fc.record({
      latitude: fc.oneof(
        fc.double({ min: -1.6, max: 1.6, noNaN: true }).map((by) => CHICAGO.latitude + by),
        edge(41.88),
      ),
      longitude: fc.oneof(
        fc.double({ min: -1.6, max: 1.6, noNaN: true }).map((by) => CHICAGO.longitude + by),
        edge(-87.62),
      ),
      sellerType: oneOf('d' as const, 'p' as const),
      state: oneOf('IL', 'WI'),
      city: oneOf('Chicago', 'Kenosha'),
      homeServices: fc.subarray(['BUY_ONLINE', 'TEST_DRIVE']),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) =>
    list.map((overrides, index) =>
      anOwner({
        ...overrides,
        id: `o${index}`,
      }),
    ),
  );

const listing = (ownerCount: number): fc.Arbitrary<StockListing> =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 90 }).map(String),
      owner: fc.nat({ max: ownerCount - 1 }),
      vehicle: oneOf(...VEHICLES),
      trim: fc.nat({ max: 2 }),
      listingType: oneOf('NEW' as const, 'USED' as const, 'CERTIFIED' as const),
      year: fc.integer({ min: 2016, max: 2026 }),
      fuel: oneOf('GSL' as const, 'ELE' as const, 'PIH' as const),
      electricRange: maybe(fc.integer({ min: 20, max: 420 })),
      mpgCity: maybe(fc.integer({ min: 12, max: 60 })),
      mileage: maybe(fc.integer({ min: 0, max: 210_000 })),
      salePrice: maybe(fc.integer({ min: 1, max: 90_000 })),
      msrp: maybe(fc.integer({ min: 1, max: 90_000 })),
      features: fc.subarray(FEATURES),
      dealIndicator: maybe(oneOf('Great' as const, 'Good' as const, 'High' as const)),
      doors: maybe(oneOf(2, 4)),
      listedOn: fc.integer({ min: 20_600, max: 20_700 }),
      extendedDelivery: fc.boolean(),
      isCommercial: fc.boolean(),
      spotlightTier: maybe(oneOf('premium' as const, 'featured' as const)),
      isBoosted: fc.boolean(),
    })
    .map(({ owner, vehicle, trim, ...overrides }) => {
      const [make, model, bodyStyle, trims] = vehicle;
      const name = trims[trim];
      return aListing({
        ...overrides,
        ownerId: `o${owner}`,
        make: { code: make, name: make },
        model: { code: model, name: model },
        trim: name === undefined ? undefined : { code: `${model}|${name}`, name },
        bodyStyle,
      });
    });

export const stocks = owners.chain((ownerList) =>
  fc
    .uniqueArray(listing(ownerList.length), { selector: ({ id }) => id, maxLength: 60 })
    .map((listings) => ({ listings, owners: new Map(ownerList.map((owner) => [owner.id, owner])) })),
);

const some = (values: readonly string[]) =>
  fc.subarray([...values], { maxLength: Math.min(2, values.length) });

export const queries: fc.Arbitrary<ListingQuery> = fc
  .record({
    facets: fc.record(
      {
        listingType: some(['NEW', 'USED', 'UNHEARD']),
        fuelTypeGroup: some(['GSL', 'ELE']),
        featureCode: some(FEATURES),
        sellerType: some(['d', 'p']),
        homeServices: some(['BUY_ONLINE']),
        dealType: some(['greatprice', 'goodprice']),
        vehicleUseType: some(['COMMERCIAL']),
      },
      { requiredKeys: [] },
    ),
    vehicle: maybe(
      fc.record({
        makes: some(['FORD', 'HONDA', 'KIA', 'UNHEARD']),
        models: some(['F150', 'CIVIC', 'SHARED', 'UNHEARD']),
        trims: some(['F150|XLT', 'CIVIC|LX', 'SHARED|LX', 'F150|UNHEARD']),
      }),
    ),
    year: maybe(fc.record({ min: fc.integer({ min: 2015, max: 2027 }) })),
    price: maybe(
      fc.record({ min: fc.integer({ min: 0, max: 50_000 }), max: fc.integer({ min: 20_000, max: 90_000 }) }),
    ),
    payment: maybe(
      fc.record({
        max: fc.integer({ min: 1, max: 1_500 }),
        terms: fc.record(
          {
            down: fc.integer({ min: 0, max: 40_000 }),
            termMonths: oneOf(36, 48, 60, 84),
            aprPercent: oneOf(0, 0.01, 3.9, 12.5, 30),
          },
          { requiredKeys: [] },
        ),
      }),
    ),
    maxMileage: maybe(fc.integer({ min: 0, max: 210_000 })),
    minMpg: maybe(fc.integer({ min: 10, max: 60 })),
    electricRange: maybe(fc.oneof(fc.integer({ min: 1, max: 420 }), fc.constant('UNSPECIFIED' as const))),
    center: maybe(fc.constant(CHICAGO)),
    radius: maybe(oneOf(0, 10, 37, 50, 75, 100)),
    extendedDelivery: maybe(fc.boolean()),
    state: maybe(oneOf('IL', 'TX')),
    city: maybe(oneOf('Chicago', 'Kenosha')),
    area: maybe(area),
    excludedIds: maybe(some(['1', '2', '3'])),
    ids: maybe(fc.subarray(Array.from({ length: 90 }, (_, n) => String(n + 1)))),
    ownerIds: maybe(some(['o0', 'o1', 'o5', 'unheard'])),
    keywords: maybe(some(['ford', 'tru', 'suvs', 'electric', '2021', 'lx', 'blue', 'unheard'])),
    paidTier: maybe(oneOf('premium' as const, 'boost' as const)),
  })
  // Each query keeps only a few of its filters, so that most find something.
  .chain((query) =>
    fc
      .subarray(Object.keys(query) as (keyof typeof query)[], { maxLength: 4 })
      .map((keys) => Object.fromEntries(keys.map((key) => [key, query[key]])) as ListingQuery),
  );

/** A complete owner, by default in Chicago. */
export const anOwner = (overrides: Partial<StockOwner> = {}): StockOwner => ({
  id: 'o1',
  name: 'Lake Motors',
  sellerType: 'd',
  phone: '312-555-0100',
  website: 'https://dealer.test',
  city: 'Chicago',
  state: 'IL',
  zip: '60601',
  latitude: 41.8858,
  longitude: -87.6229,
  dma: '602',
  homeServices: [],
  preferredCta: 'email',
  hideEmailForm: false,
  isAlpha: false,
  ...overrides,
});

/** A complete listing: a used F-150 of the default owner. */
export const aListing = (overrides: Partial<StockListing> = {}): StockListing => ({
  id: '1000001',
  vin: '1FTFW1E50MFA00001',
  ownerId: 'o1',
  listingType: 'USED',
  year: 2021,
  make: { code: 'FORD', name: 'Ford' },
  model: { code: 'F150', name: 'F150' },
  trim: { code: 'F150|XLT', name: 'XLT' },
  bodyStyle: 'TRUCKS',
  bodySubtype: 'CREWCAB',
  fuel: 'GSL',
  drive: 'AWD4WD',
  transmission: 'AUT',
  engineCode: '6CLDR',
  engineName: '6-Cylinder',
  doors: 4,
  mpgCity: 18,
  mpgHighway: 24,
  extColor: 'BLUE',
  intColor: 'BLACK',
  mileage: 31_000,
  msrp: 45_000,
  salePrice: 38_000,
  features: [],
  packages: [],
  history: [],
  listedOn: 20_700,
  viewCount: 5,
  isHot: false,
  hasSpecialOffer: false,
  isCommercial: false,
  moneyBack: false,
  extendedDelivery: false,
  ...overrides,
});
