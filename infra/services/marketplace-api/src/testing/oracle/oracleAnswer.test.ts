import { describe, expect, it } from '@jest/globals';
import { SORT_VALUES } from '@forecourt/search/criteria';
import fc from 'fast-check';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { createColumnarIndex } from '../../search/listingIndex/columnarIndex.ts';
import type { ListingQuery, PageRequest, SearchHits } from '../../search/listingIndex/listingIndex.ts';
import { aListing, anOwner, queries, stocks } from '../arbitraries.ts';
import { Oracle } from './oracle.ts';
import { answerOf, differences, merged } from './oracleAnswer.ts';

const TODAY = 20_700;

interface Stock {
  readonly listings: readonly StockListing[];
  readonly owners: ReadonlyMap<string, StockOwner>;
}

function resultOf({ listings, owners }: Stock, query: ListingQuery, page: PageRequest): SearchHits {
  const index = createColumnarIndex({ now: () => TODAY * 86_400_000 });
  index.upsertOwners(owners.values());
  index.upsert(listings);
  return index.search(query, page, { counts: true });
}

/** The answer of two oracles that have every other listing. */
function answerInParts({ listings, owners }: Stock, query: ListingQuery, page: PageRequest) {
  const answers = [0, 1].map((part) => {
    const oracle = new Oracle(owners.values());
    for (const [at, listing] of listings.entries())
      if (at % 2 === part) oracle.add(listing);
      else oracle.know(listing);
    return answerOf(oracle, query, page, TODAY);
  });
  return merged(answers, page);
}

describe('the oracle in parts', () => {
  it('agrees with the index on every total, page, statistic and count', () => {
    const pages = fc.record({
      sort: fc.constantFrom(...SORT_VALUES),
      first: fc.integer({ min: 0, max: 70 }),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(stocks, queries, pages, (stock, query, page) => {
        expect(differences(resultOf(stock, query, page), answerInParts(stock, query, page), page)).toEqual(
          [],
        );
      }),
      { numRuns: 300 },
    );
  });

  const owner = anOwner();
  const stock: Stock = {
    owners: new Map([[owner.id, owner]]),
    listings: Array.from({ length: 9 }, (_, n) => aListing({ id: `${n}`, salePrice: 20_000 + n * 1000 })),
  };
  const page: PageRequest = { sort: 'derivedpriceASC', first: 4, size: 4 };
  const query: ListingQuery = {
    center: owner,
    radius: 50,
    price: { min: 20_500 },
    facets: { doorCode: ['4'] },
  };
  const differencesOf = (changed: Partial<StockListing>) => {
    const [one, ...others] = stock.listings.toReversed();
    const listings = [{ ...one!, ...changed }, ...others];
    return differences(
      resultOf({ ...stock, listings }, query, page),
      answerInParts(stock, query, page),
      page,
    );
  };

  it.each<[change: string, Partial<StockListing>, differing: string[]]>([
    ['nothing', {}, []],
    ['the price', { salePrice: 24_500 }, ['page', 'price', 'priceHistogram', 'monthlyPayment']],
    ['the color', { extColor: 'RED' }, ['extColorSimple']],
    ['a mileage between the same thresholds', { mileage: 30_500 }, []],
    ['a mileage below a threshold', { mileage: 15_000 }, ['mileage']],
  ])('names what differs by %s of a listing', (_, changed, differing) => {
    expect(differencesOf(changed)).toEqual(differing);
  });

  it('names the total and the counts when a filter leaves out one more listing', () => {
    const differing = ['total', 'doorCode', 'listingType', 'mileage', 'radius', 'total without price'];
    expect(differencesOf({ doors: 2 })).toEqual(expect.arrayContaining(differing));
  });
});
