import { decodeQuery } from '@forecourt/search/decode';
import { describe, it, expect } from '@jest/globals';
import { SORT_VALUES } from '@forecourt/search/criteria';
import { setSort, SORT_OPTIONS } from './sorting.ts';

describe('a changed sort', () => {
  // rows: B4-PANEL-07
  it('returns to the first page when the sort changes', () => {
    const page3 = decodeQuery('firstRecord=60&makeCode=FORD');
    expect(setSort(page3, 'yearASC')).toMatchObject({ sortBy: 'yearASC', firstRecord: 0 });
  });

  it('drops the parameters of the landing URL when the sort changes', () => {
    const landingCriteria = decodeQuery(
      'expiredListing=1&defaultScreen=signup&refUrl=/cars-for-sale&bookmarkId=9',
    );
    expect(setSort(landingCriteria, 'yearASC')).not.toHaveProperty('expiredListing');
    expect(setSort(landingCriteria, 'yearASC')).not.toHaveProperty('refUrl');
    expect(setSort(landingCriteria, 'yearASC')).not.toHaveProperty('bookmarkId');
  });
});

describe('the sort dropdown', () => {
  // rows: A3-SORT-01, A3-SORT-02, A3-SORT-03, A3-SORT-04, A3-SORT-05, A3-SORT-06, A3-SORT-07, A3-SORT-08
  // rows: A3-SORT-09, A3-SORT-10
  it('offers the ten sort options and those by payment with their labels', () => {
    expect(SORT_OPTIONS.map(({ value }) => value)).toEqual([...SORT_VALUES]);
    expect(Object.fromEntries(SORT_OPTIONS.map(({ value, label }) => [value, label]))).toEqual({
      monthlyPaymentASC: 'Payment - Lowest',
      monthlyPaymentDESC: 'Payment - Highest',
      relevance: 'Relevance',
      derivedpriceASC: 'Price - Lowest',
      derivedpriceDESC: 'Price - Highest',
      distanceASC: 'Distance - Closest',
      datelistedASC: 'Date - Oldest',
      datelistedDESC: 'Date - Newest',
      mileageASC: 'Mileage - Lowest',
      mileageDESC: 'Mileage - Highest',
      yearASC: 'Year - Oldest',
      yearDESC: 'Year - Newest',
    });
  });
});
