import { describe, expect, it } from '@jest/globals';
import { addFilters, changeFilters, clearFilters, selectCategory, setPage } from './changes.ts';
import { decodeQuery } from './decode.ts';
import { encodeUrl } from '../url/encode.ts';
import { testReference } from '../testing/builders.ts';
describe('search edits', () => {
  it('drops the parameters of the landing URL when the search changes', () => {
    const landingCriteria = decodeQuery(
      'expiredListing=1&defaultScreen=signup&refUrl=/cars-for-sale&bookmarkId=9&openSection=doorCode',
    );
    expect(landingCriteria.openSection).toBe('doorCode');
    expect(changeFilters(landingCriteria, {})).not.toHaveProperty('openSection');
    expect(changeFilters(landingCriteria, {})).not.toHaveProperty('expiredListing');
    expect(changeFilters(landingCriteria, {})).not.toHaveProperty('refUrl');
    expect(changeFilters(landingCriteria, {})).not.toHaveProperty('bookmarkId');
  });

  it('sets the page of a record', () => {
    expect(setPage(decodeQuery(''), 65).firstRecord).toBe(60);
  });
});

describe('Clear Filters', () => {
  // rows: B4-CLEAR-01
  it('keeps only the radius and the sort on Clear Filters', () => {
    const cleared = clearFilters(
      decodeQuery('makeCode=FORD&minPrice=1&searchRadius=50&zip=30303&sortBy=yearASC'),
    );
    expect(cleared.filters).toEqual({ searchRadius: ['50'] });
    expect(cleared.sortBy).toBe('yearASC');
  });

  // rows: B4-CLEAR-02
  it('returns to All Results on Clear Filters', () => {
    expect(clearFilters(decodeQuery('categorySearch=certified'))).not.toHaveProperty('categorySearch');
  });

  // rows: B4-CLEAR-03
  it('ends best-deals on Clear Filters, and commercial only on request', () => {
    expect(clearFilters(decodeQuery('experience=best-deals'))).not.toHaveProperty('experience');
    const commercial = decodeQuery('experience=commercial');
    expect(clearFilters(commercial).experience).toBe('commercial');
    expect(clearFilters(commercial, { clearExperience: true })).not.toHaveProperty('experience');
  });
});

describe('categories', () => {
  // rows: B4-CAT-01, B4-CAT-02
  it('sets a category and applies its values', () => {
    const certified = selectCategory(decodeQuery('makeCode=FORD'), 'certified');
    expect(certified).toMatchObject({
      categorySearch: 'certified',
      filters: { makeCode: ['FORD'], listingType: ['CERTIFIED'] },
    });
    expect(encodeUrl(certified, testReference)).toBe(
      '/cars-for-sale/certified/ford?categorySearch=certified',
    );
  });

  // rows: B4-CAT-02
  it("removes a category's values when another category is selected", () => {
    const best = selectCategory(selectCategory(decodeQuery(''), 'certified'), 'best-deals');
    expect(best.filters).toEqual({ dealType: ['goodprice', 'greatprice'] });
  });

  // rows: B4-CAT-03
  it('clears all filters except the location for All Results', () => {
    const all = selectCategory(
      decodeQuery('categorySearch=by-owner&makeCode=FORD&zip=30303&searchRadius=25&sortBy=yearASC'),
      undefined,
    );
    expect(all.filters).toEqual({ zip: ['30303'], searchRadius: ['25'] });
    expect(all.sortBy).toBe('yearASC');
    expect(all).not.toHaveProperty('categorySearch');
  });
});

describe('suggestions and keywords', () => {
  it('adds the values of a suggestion and ignores names that are no filters', () => {
    expect(addFilters(decodeQuery('makeCode=FORD'), { makeCode: ['BMW'], onclick: ['x'] }).filters).toEqual({
      makeCode: ['FORD', 'BMW'],
    });
  });
});
