import { describe, expect, it, jest } from '@jest/globals';
import { aListing } from '../../testing/arbitraries.ts';
import type { ListingQuery, PriceGroup } from '../listingIndex/listingIndex.ts';
import type { UsualPrices } from '../listingIndex/usualPrices.ts';
import { MarketPrices } from './marketPrices.ts';

const xlt = aListing({
  listingType: 'USED',
  year: 2021,
  make: { code: 'FORD', name: 'Ford' },
  model: { code: 'F150', name: 'F-150' },
  trim: { code: 'F150|XLT', name: 'XLT' },
});
const prices = (changes: Partial<UsualPrices> = {}): UsualPrices => ({
  priced: 24,
  average: 30_500,
  lowest: 27_000,
  highest: 35_000,
  ...changes,
});
const group = (changes: Partial<PriceGroup> = {}): PriceGroup => ({
  key: 'F150|XLT',
  name: 'XLT',
  count: 30,
  prices: prices(),
  ...changes,
});

function setUp(groups: readonly PriceGroup[]) {
  const groupPrices = jest.fn(async (_query: ListingQuery) => [...groups]);
  let time = 0;
  const market = new MarketPrices({ groupPrices }, () => time);
  return { market, groupPrices, wait: (ms: number) => (time += ms) };
}

describe('market prices', () => {
  it('are averages of the same model, trim, age and condition', async () => {
    const { market, groupPrices } = setUp([
      group(),
      group({ key: 'F150|LARIAT', prices: prices({ average: 1 }) }),
    ]);
    expect(await market.of(xlt)).toEqual({ average: 30_500, similar: 24 });
    expect(groupPrices.mock.calls[0]?.[0]).toMatchObject({
      vehicle: { makes: ['FORD'], models: ['F150'] },
      year: { min: 2020, max: 2022 },
      facets: { listingType: ['USED', 'CERTIFIED', '3P_CERT'] },
    });
    await market.of({ ...xlt, listingType: 'NEW' });
    expect(groupPrices.mock.calls[1]?.[0].facets).toEqual({ listingType: ['NEW'] });
  });

  it('are unknown with fewer than ten similar listings, without prices, and without a trim', async () => {
    expect(await setUp([group({ prices: prices({ priced: 9 }) })]).market.of(xlt)).toBeUndefined();
    const { prices: _, ...unpriced } = group();
    expect(await setUp([unpriced]).market.of(xlt)).toBeUndefined();
    const { trim: __, ...withoutTrim } = xlt;
    const { market, groupPrices } = setUp([group()]);
    expect(await market.of(withoutTrim)).toBeUndefined();
    expect(groupPrices).not.toHaveBeenCalled();
  });

  it('are counted again after ten minutes, and at once after a failure', async () => {
    const { market, groupPrices, wait } = setUp([group()]);
    await market.of(xlt);
    wait(599_999);
    await market.of(xlt);
    expect(groupPrices).toHaveBeenCalledTimes(1);
    wait(1);
    groupPrices.mockRejectedValueOnce(new Error('gone'));
    await expect(market.of(xlt)).rejects.toThrow('gone');
    expect(await market.of(xlt)).toBeDefined();
    expect(groupPrices).toHaveBeenCalledTimes(3);
  });
});
