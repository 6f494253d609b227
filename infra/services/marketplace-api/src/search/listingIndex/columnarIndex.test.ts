import { describe, expect, it } from '@jest/globals';
import { SORT_VALUES } from '@forecourt/search/criteria';
import fc from 'fast-check';
import { aListing, anOwner, queries, stocks } from '../../testing/arbitraries.ts';
import { distanceMiles } from '../../domain/places/index.ts';
import { Oracle } from '../../testing/oracle/oracle.ts';
import { createColumnarIndex } from './columnarIndex.ts';
import { type DroppableFilter, FACET_NAMES, type ListingQuery } from './listingIndex.ts';
import { derivedPrice, type StockListing, type StockOwner } from '../../domain/stock.ts';

const TODAY = 20_700;
const FIRST_PAGE = { sort: 'derivedpriceASC', first: 0, size: 30 } as const;

interface Stock {
  readonly listings: readonly StockListing[];
  /** Of former listings, too. */
  readonly known?: readonly StockListing[];
  readonly owners: ReadonlyMap<string, StockOwner>;
}

function oracleOf({ listings, known = [], owners }: Stock): Oracle {
  const oracle = new Oracle(owners.values());
  for (const listing of known) oracle.know(listing);
  for (const listing of listings) oracle.add(listing);
  return oracle;
}

const found = (query: ListingQuery, stock: Stock) =>
  oracleOf(stock)
    .search(query)
    .found.map(({ listing }) => listing);

function sortedIds(query: ListingQuery, stock: Stock, sort: string): string[] {
  const oracle = oracleOf(stock);
  return oracle.ranked(oracle.search(query), query, sort, TODAY).map(({ id }) => id);
}

function indexOf(stock: Stock) {
  const index = createColumnarIndex({ now: () => TODAY * 86_400_000 });
  index.upsertOwners(stock.owners.values());
  index.upsert(stock.listings);
  return index;
}

const span = (values: number[]) =>
  values.length > 0 ? { min: Math.min(...values), max: Math.max(...values) } : undefined;

const countsOf = (index: ReturnType<typeof indexOf>, query: ListingQuery) =>
  index.search(query, FIRST_PAGE, { counts: true }).counts!;

const ANY = { makes: [], models: [], trims: [] };

/** The query without one of its filters. */
function withoutFilter(query: ListingQuery, name: string): ListingQuery {
  const { vehicle = ANY } = query;
  const dropped: Readonly<Record<string, ListingQuery>> = {
    make: { ...query, vehicle: undefined },
    model: { ...query, vehicle: { ...vehicle, models: [], trims: [] } },
    trim: { ...query, vehicle: { ...vehicle, trims: [] } },
    year: { ...query, year: undefined },
    price: { ...query, price: undefined },
    mileage: { ...query, maxMileage: undefined },
    monthlyPayment: { ...query, payment: undefined },
    mpg: { ...query, minMpg: undefined },
    electricRange: { ...query, electricRange: undefined },
    location: { ...query, radius: undefined, state: undefined, city: undefined },
    area: { ...query, area: undefined },
    keyword: { ...query, keywords: undefined },
  };
  return dropped[name] ?? { ...query, facets: { ...query.facets, [name]: [] } };
}

describe('the columnar index', () => {
  // rows: A3-RESP-05, A3-RESP-06
  it('agrees with a brute-force search on hits, counts and statistics', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const expected = found(query, stock);
        const { total, stats, counts } = index.search(query, FIRST_PAGE);
        // Counting takes time, so it is done on request only.
        expect(counts).toBeUndefined();
        expect(total).toBe(expected.length);
        expect(index.count(query)).toBe(expected.length);
        expect(stats.price).toEqual(span(expected.flatMap((listing) => derivedPrice(listing) ?? [])));
        expect(stats.year).toEqual(span(expected.map(({ year }) => year)));
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same results after announced listings, repeated searches and changes', () => {
    fc.assert(
      fc.property(stocks, stocks, queries, queries, (stock, later, query, other) => {
        const plain = indexOf(stock);
        const index = createColumnarIndex({ now: () => TODAY * 86_400_000 });
        index.upsertOwners(stock.owners.values());
        index.reserve(stock.listings);
        index.upsert(stock.listings);
        const resultOf = (searched: typeof index, one: ListingQuery) => {
          const { stats, ...hits } = searched.search(
            one,
            { ...FIRST_PAGE, sort: 'relevance' },
            { counts: true },
          );
          return JSON.stringify([
            hits.total,
            hits.hits,
            stats,
            [...hits.counts!.totalWithout],
            hits.counts!.facets,
            [...hits.counts!.radius],
          ]);
        };
        const agree = () => {
          for (const one of [query, other, { ...query, paidTier: 'premium' as const }, query])
            expect(resultOf(index, one)).toBe(resultOf(plain, one));
        };
        agree();
        for (const changed of [plain, index]) {
          changed.remove(stock.listings.slice(0, 2).map(({ id }) => id));
          changed.upsertOwners(later.owners.values());
          changed.upsert(later.listings);
        }
        agree();
      }),
      { numRuns: 100 },
    );
  });

  it('keeps apart searches that differ in their place only, also within a few vehicles', () => {
    const PLACES: readonly (readonly [city: string, latitude: number, longitude: number])[] = [
      ['Chicago', 41.8858, -87.6229],
      ['Kenosha', 42.5847, -87.8212],
      ['Rockford', 42.2711, -89.094],
      ['Peoria', 40.6936, -89.589],
    ];
    const owners = PLACES.flatMap(([city, latitude, longitude], place) =>
      ['IL', 'WI'].map((state) => anOwner({ id: `${place}${state}`, city, state, latitude, longitude })),
    );
    const vehicles = fc.array(
      fc.record({
        owner: fc.nat({ max: owners.length - 1 }),
        salePrice: fc.integer({ min: 1, max: 5 }),
        extendedDelivery: fc.boolean(),
      }),
      { minLength: 20, maxLength: 40 },
    );
    const choice = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const [near, far] = PLACES.map(([, latitude, longitude]) => ({ latitude, longitude }));
    const place = fc.oneof(
      fc.record({ center: fc.constantFrom(near!, far!), radius: fc.constantFrom(10, 100) }),
      fc.record({ state: choice('IL', 'WI'), city: choice('Chicago', 'Kenosha') }),
    );
    const searches = fc.array(
      fc
        .record({
          place,
          extendedDelivery: fc.boolean(),
          price: choice({ min: 2 }, { min: 4 }),
          ids: choice(['1', '2', '3', '4'], ['2', '4', '6', '8']),
        })
        .map(({ place: where, ...query }) => ({ ...query, ...where })),
      { minLength: 2, maxLength: 12 },
    );
    fc.assert(
      fc.property(vehicles, searches, (list, sequence) => {
        const listings = list.map(({ owner, ...overrides }, n) =>
          aListing({ ...overrides, id: String(n), ownerId: owners[owner]!.id }),
        );
        const stock = { listings, owners: new Map(owners.map((owner) => [owner.id, owner])) };
        const index = indexOf(stock);
        for (const query of sequence)
          expect([query, index.count(query)]).toEqual([query, found(query, stock).length]);
      }),
      { numRuns: 300 },
    );
  });

  it('finds within ids, sellers and tiers, few or most, what is left by each filter and without it', () => {
    const CENTERS = [41, 42].flatMap((latitude) => [-87, -89].map((longitude) => ({ latitude, longitude })));
    const owners = CENTERS.flatMap((place, n) =>
      ['a', 'b'].map((name) => anOwner({ ...place, id: `${n}${name}`, state: n < 2 ? 'IL' : 'WI' })),
    );
    // The last has no vehicles.
    const sellers = owners.slice(0, -1).map(({ id }) => id);
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const small = fc.integer({ min: 0, max: 4 });
    const vehicle = fc
      .record({
        ownerId: fc.constantFrom(...sellers),
        year: small.map((n) => 2018 + n),
        salePrice: some(small.map((n) => (n + 1) * 10_000)),
        mileage: some(small),
        mpgCity: some(small.map((n) => n + 20)),
        electricRange: some(small.map((n) => n + 20)),
        fuel: fc.constantFrom('ELE' as const, 'GSL' as const),
        extendedDelivery: fc.boolean(),
        spotlightTier: some(fc.constant('premium' as const)),
      })
      .map((facts) => ({ ...facts, mpgHighway: undefined, msrp: undefined }));
    const ids = fc.oneof(
      fc.array(small.map(String), { maxLength: 4 }),
      fc.subarray(
        Array.from({ length: 44 }, (_, n) => String(n)),
        { minLength: 24 },
      ),
    );
    const ends = (value: fc.Arbitrary<number>) =>
      fc.oneof(
        fc.record({ min: value }),
        fc.record({ max: value }),
        value.map((end) => ({ min: end, max: end })),
      );
    const query: fc.Arbitrary<ListingQuery> = fc.record(
      {
        ids,
        excludedIds: ids,
        ownerIds: fc.array(fc.constantFrom(...owners.map(({ id }) => id), 'unheard'), { maxLength: 9 }),
        paidTier: fc.constant('premium' as const),
        year: ends(small.map((n) => 2018 + n)),
        price: ends(small.map((n) => (n + 1) * 10_000)),
        payment: fc.record({ max: fc.constantFrom(200, 500, 900), terms: fc.constant({}) }),
        maxMileage: small,
        minMpg: small.map((n) => n + 20),
        electricRange: fc.oneof(
          small.map((n) => n + 20),
          fc.constant('UNSPECIFIED' as const),
        ),
        center: fc.constantFrom(...CENTERS),
        radius: fc.constantFrom(10, 80),
        state: fc.constantFrom('IL', 'WI'),
        extendedDelivery: fc.boolean(),
        area: fc.constant({ south: 40, west: -88, north: 43, east: -86 }),
        keywords: fc.constantFrom(['ford'], ['2019'], []),
        vehicle: fc.constantFrom(ANY, { ...ANY, makes: ['FORD'] }, { ...ANY, models: ['UNHEARD'] }),
      },
      { requiredKeys: [] },
    );
    const filtersOf = (one: ListingQuery) =>
      [
        one.center ? one.radius && 'location' : one.state && 'location',
        one.area && 'area',
        one.year && 'year',
        one.price && 'price',
        one.payment && 'monthlyPayment',
        one.maxMileage !== undefined && 'mileage',
        one.minMpg && 'mpg',
        one.electricRange && 'electricRange',
        one.keywords?.length && 'keyword',
      ].filter((name) => typeof name === 'string');
    const sequences = fc.array(query, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(vehicle, { minLength: 40, maxLength: 40 }), sequences, (list, sequence) => {
        const listings = list.map((facts, n) =>
          aListing({ ...facts, id: String(n) } as Partial<StockListing>),
        );
        const stock = { listings, owners: new Map(owners.map((owner) => [owner.id, owner])) };
        const index = indexOf(stock);
        for (const one of sequence) {
          const { total, counts, hits } = index.search(one, FIRST_PAGE, { counts: true });
          expect([one, total, index.count(one)]).toEqual([one, ...Array(2).fill(found(one, stock).length)]);
          const without = filtersOf(one).map(
            (name) => [name as DroppableFilter, found(withoutFilter(one, name), stock).length] as const,
          );
          const totals = [...counts!.totalWithout].filter(
            ([name]) => !['make', 'model', 'trim'].includes(name),
          );
          expect([one, new Map(totals)]).toEqual([one, new Map(without)]);
          const { center } = one;
          if (center)
            for (const { id, distance } of hits)
              expect(distance).toBeCloseTo(
                distanceMiles(center, stock.owners.get(listings[Number(id)]!.ownerId)!),
                0,
              );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('leaves vehicles that one search excludes, or does not ask for, to the next search', () => {
    const owner = anOwner({ id: 'a' });
    const listings = Array.from({ length: 12 }, (_, n) =>
      aListing({ id: String(n), ownerId: 'a', year: 2010 + n }),
    );
    const index = indexOf({ listings, owners: new Map([['a', owner]]) });
    expect(index.count({ excludedIds: ['1', '2'] })).toBe(10);
    expect(index.count({})).toBe(12);
    expect(index.count({ ids: ['1', '2', '3'], excludedIds: ['1'] })).toBe(2);
    expect(index.count({ ids: ['1', '2', '3'] })).toBe(3);
    const within = countsOf(index, { ids: ['1', '2'], year: { min: 2012 } });
    expect(within.totalWithout.get('year')).toBe(2);
    expect(countsOf(index, { year: { min: 2012 } }).totalWithout.get('year')).toBe(12);
  });

  it("ignores a code filter's own selection when counting its options", () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const { facets } = countsOf(indexOf(stock), query);
        const expected = oracleOf(stock).search(query).counts;
        for (const name of FACET_NAMES) {
          const { values, counts } = facets[name];
          const counted = values.map((value, code) => [value, counts[code]] as const);
          expect([name, new Map(counted.filter(([, count]) => count! > 0))]).toEqual([
            name,
            expected.get(name),
          ]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('counts for each code option the results of selecting it alone', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const { facets } = countsOf(index, query);
        for (const name of FACET_NAMES) {
          facets[name].values.forEach((value, code) => {
            const chosen = index.count({ ...query, facets: { ...query.facets, [name]: [value] } });
            expect(facets[name].counts[code]).toBe(chosen);
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('counts for each make, model and trim the results of selecting it', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const { makes, models, trims } = countsOf(index, query);
        const choose = (vehicle: { make: string; model?: string; trim?: string }) =>
          index.count({
            ...query,
            vehicle: {
              makes: [vehicle.make],
              models: vehicle.model === undefined ? [] : [vehicle.model],
              trims: vehicle.trim === undefined ? [] : [vehicle.trim],
            },
          });
        for (const { code, count } of makes) expect(count).toBe(choose({ make: code }));
        for (const { code, make, count } of models)
          expect(count).toBe(choose({ make: make!.code, model: code }));
        for (const { code, make, model, count } of trims)
          expect(count).toBe(choose({ make: make!.code, model: model!.code, trim: code }));
      }),
      { numRuns: 150 },
    );
  });

  it('counts for years, thresholds and radii the results of selecting them', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const counts = countsOf(index, query);
        for (const { year, count } of counts.years)
          expect(count).toBe(index.count({ ...query, year: { min: year, max: year } }));
        for (const [maxMileage, count] of counts.mileage)
          expect(count).toBe(index.count({ ...query, maxMileage }));
        for (const [max, count] of counts.monthlyPayment)
          expect(count).toBe(index.count({ ...query, payment: { max, terms: query.payment?.terms ?? {} } }));
        for (const [minMpg, count] of counts.mpg) expect(count).toBe(index.count({ ...query, minMpg }));
        for (const [electricRange, count] of counts.electricRange)
          expect(count).toBe(index.count({ ...query, electricRange }));
        if (query.center) {
          for (const [radius, count] of counts.radius) expect(count).toBe(index.count({ ...query, radius }));
          expect(counts.extendedDelivery).toBe(index.count({ ...query, extendedDelivery: true }));
        }
        const priced = index.count({ ...query, price: { min: 0 } });
        expect((counts.priceHistogram?.counts ?? []).reduce((sum, count) => sum + count, 0)).toBe(priced);
      }),
      { numRuns: 150 },
    );
  });

  it('counts the results of removing each filter', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const { totalWithout } = countsOf(index, query);
        for (const [name, total] of totalWithout) {
          expect([name, total]).toEqual([name, found(withoutFilter(query, name), stock).length]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('counts for each seller the results that are its own', () => {
    fc.assert(
      fc.property(stocks, queries, (stock, query) => {
        const index = indexOf(stock);
        const expected = Map.groupBy(found(query, stock), ({ ownerId }) => ownerId);
        const sellers = index.sellers(query);
        expect(new Map(sellers.map(({ owner, count }) => [owner.id, count]))).toEqual(
          new Map([...expected].map(([id, listings]) => [id, listings.length])),
        );
        for (const { owner, lowestPrice } of sellers) {
          expect(owner).toEqual(stock.owners.get(owner.id));
          const prices = expected.get(owner.id)!.flatMap((listing) => derivedPrice(listing) ?? []);
          expect(lowestPrice).toBe(prices.length > 0 ? Math.min(...prices) : undefined);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('puts a seller on the edge of two map areas into the northern and eastern one only', () => {
    const owner = anOwner({ latitude: 41.88, longitude: -87.62 });
    const index = indexOf({ listings: [aListing()], owners: new Map([[owner.id, owner]]) });
    const count = (south: number, west: number) =>
      index.count({ area: { south, west, north: south + 1, east: west + 1 } });
    expect([count(41.88, -87.62), count(40.88, -87.62), count(41.88, -88.62)]).toEqual([1, 0, 0]);
  });

  // rows: A3-SORT-02, A3-SORT-03, A3-SORT-04, A3-SORT-05, A3-SORT-06, A3-SORT-07, A3-SORT-08, A3-SORT-09
  // rows: A3-SORT-10
  it('sorts by each order with ties by id, across pages', () => {
    fc.assert(
      fc.property(
        stocks,
        queries,
        fc.constantFrom(...SORT_VALUES),
        fc.integer({ min: 1, max: 9 }),
        (stock, query, sort, size) => {
          const index = indexOf(stock);
          const expected = sortedIds(query, stock, sort);
          const paged: string[] = [];
          for (let first = 0; first < expected.length; first += size) {
            const page = index.search(query, { sort, first, size });
            expect(page.first).toBe(first);
            paged.push(...page.hits.map(({ id }) => id));
          }
          expect(paged).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('floors offsets to a page and clamps them to the last page', () => {
    const listings = Array.from({ length: 65 }, (_, n) => aListing({ id: String(100 + n) }));
    const index = indexOf({ listings, owners: new Map([['o1', anOwner()]]) });
    const beyond = index.search({}, { sort: 'yearASC', first: 900, size: 30 });
    expect([beyond.first, beyond.hits.length]).toEqual([60, 5]);
    expect(index.search({}, { sort: 'yearASC', first: 44, size: 30 }).first).toBe(30);
  });

  it('stays correct after replacements and removals and keeps removed models as options', () => {
    fc.assert(
      fc.property(
        stocks,
        stocks,
        queries,
        fc.array(fc.integer({ min: 1, max: 90 })),
        (before, after, query, gone) => {
          const index = indexOf(before);
          index.upsertOwners(after.owners.values());
          // Owners of the first inventory may have moved, so their listings are written again.
          index.upsert(before.listings);
          const removed = new Set(gone.map(String));
          index.remove(removed);
          index.upsert(after.listings);
          const merged = new Map(
            before.listings.filter(({ id }) => !removed.has(id)).map((item) => [item.id, item]),
          );
          for (const item of after.listings) merged.set(item.id, item);
          const stock = {
            listings: [...merged.values()],
            known: [...before.listings, ...after.listings],
            owners: new Map([...before.owners, ...after.owners]),
          };
          const expected = sortedIds(query, stock, 'yearDESC');
          const result = index.search(query, { sort: 'yearDESC', first: 0, size: 100 });
          expect(index.size).toBe(merged.size);
          expect(result.hits.map(({ id }) => id)).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('ranks nearer, better priced and newer listings higher', () => {
    const chicago = anOwner();
    const denver = anOwner({ id: 'o2', latitude: 39.74, longitude: -104.99 });
    const index = indexOf({
      owners: new Map([chicago, denver].map((owner) => [owner.id, owner])),
      listings: [
        aListing({ id: 'far', ownerId: 'o2' }),
        aListing({ id: 'old', listedOn: TODAY - 300 }),
        aListing({ id: 'plain' }),
        aListing({ id: 'great', dealIndicator: 'Great' }),
      ],
    });
    const { hits } = index.search({ center: chicago }, { sort: 'relevance', first: 0, size: 10 });
    expect(hits.map(({ id }) => id)).toEqual(['great', 'plain', 'old', 'far']);
  });

  it('counts an owner as within a radius when the distance rounds to it', () => {
    const center = { latitude: 41, longitude: -87 };
    // A degree of latitude along a meridian, with the mean radius of the earth.
    const north = (miles: number) => center.latitude + (miles / 3958.7613) * (180 / Math.PI);
    const within = (miles: number) => {
      const owner = anOwner({ ...center, latitude: north(miles) });
      const index = indexOf({ listings: [aListing()], owners: new Map([[owner.id, owner]]) });
      return index.count({ center, radius: 50 }) === 1;
    };
    expect([49.9, 50, 50.0004].map(within)).toEqual([true, true, true]);
    expect([50.0006, 50.01].map(within)).toEqual([false, false]);
  });

  it('keeps all models of a make when the selected models are of another one', () => {
    const honda = { code: 'HONDA', name: 'Honda' };
    const index = indexOf({
      owners: new Map([['o1', anOwner()]]),
      listings: [
        aListing({ id: 'truck' }),
        aListing({ id: 'civic', make: honda, model: { code: 'CIVIC', name: 'Civic' } }),
        aListing({ id: 'pilot', make: honda, model: { code: 'PILOT', name: 'Pilot' } }),
      ],
    });
    const vehicle = { makes: ['FORD', 'HONDA'], models: ['CIVIC'], trims: [] };
    expect(index.search({ vehicle }, FIRST_PAGE).hits.map(({ id }) => id)).toEqual(['civic', 'truck']);
  });

  it('matches keywords to prefixes of words in vehicle, year and labels', () => {
    const index = indexOf({
      owners: new Map([['o1', anOwner()]]),
      listings: [
        aListing({ id: 'truck' }),
        aListing({
          id: 'civic',
          make: { code: 'HONDA', name: 'Honda' },
          model: { code: 'CIVIC', name: 'Civic' },
          bodyStyle: 'SEDAN',
        }),
      ],
    });
    const ids = (...keywords: string[]) => index.search({ keywords }, FIRST_PAGE).hits.map(({ id }) => id);
    expect(ids('ford')).toEqual(['truck']);
    expect(ids('blue', 'sedans', '2021')).toEqual(['civic']);
    expect(ids('ford', 'sedan')).toEqual([]);
  });
});
