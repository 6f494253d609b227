import { decodeUrl } from '@forecourt/search/decode';
import { describe, expect, it } from '@jest/globals';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { buildState } from '@forecourt/search/testing';
import { encodeUrl } from '@forecourt/search/url';
import { formOf, pageUrl, nextRecord, previousRecord } from './SearchLink.tsx';

const criteriaOf = (url: string) => {
  const [path = '', query = ''] = url.split('?');
  const decoded = decodeUrl(path, query, EMPTY_SLUG_REFERENCE);
  if (decoded.kind !== 'search') throw new Error(decoded.reason);
  return decoded.criteria;
};

describe('pageUrl', () => {
  const url = '/cars-for-sale/used?makeCode=FORD&zip=60601&utm_source=mail&a=1';
  const criteria = criteriaOf(url);

  it('puts the offset at its normalized position, so that the server does not redirect', () => {
    const second = pageUrl(url, criteria, 30);
    expect(second).toBe('/cars-for-sale/used?firstRecord=30&makeCode=FORD&zip=60601&utm_source=mail&a=1');
    expect(encodeUrl(criteriaOf(second), EMPTY_SLUG_REFERENCE)).toBe(second);
  });

  it('replaces an existing offset and omits it for the first page', () => {
    const second = pageUrl(url, criteria, 30);
    expect(pageUrl(second, criteria, 60)).toBe(pageUrl(url, criteria, 60));
    expect(pageUrl(second, criteria, 0)).toBe(url);
  });

  it('adds a query to a URL without one', () => {
    expect(pageUrl('/cars-for-sale/all-cars', { unknown: [] }, 30)).toBe(
      '/cars-for-sale/all-cars?firstRecord=30',
    );
  });

  it('keeps commas and percent-encodes the rest', () => {
    const lists = '/cars-for-sale/all-cars?makeCodeList=FORD,BMW&trimCode=F150%7CXLT';
    expect(pageUrl(lists, { unknown: [] }, 30)).toContain('makeCodeList=FORD,BMW&trimCode=F150%7CXLT');
  });
});

describe('formOf', () => {
  it('returns action and hidden fields without the excluded ones', () => {
    expect(
      formOf('/cars-for-sale/used?firstRecord=30&sortBy=yearASC&zip=60601', ['sortBy', 'firstRecord']),
    ).toEqual({
      action: '/cars-for-sale/used',
      fields: [['zip', '60601']],
    });
  });
});

const at = (firstRecord: number, totalResultCount: number, firstLoadedRecord = 0) => {
  const { search } = buildState();
  return { ...search, totalResultCount, firstLoadedRecord, criteria: { ...search.criteria, firstRecord } };
};

describe('nextRecord', () => {
  it('follows the offset of the last page, not the number of listings, because listings may repeat', () => {
    expect(nextRecord({ ...at(0, 60), listings: [], pageSizes: [0] } as ReturnType<typeof at>)).toBe(30);
    expect(nextRecord(at(30, 60))).toBeUndefined();
    expect(nextRecord(at(30, 61))).toBe(60);
  });
});

describe('previousRecord', () => {
  it('returns the page before the first loaded one', () => {
    expect(previousRecord(at(60, 90, 60))).toBe(30);
    expect(previousRecord(at(60, 90, 10))).toBe(0);
    expect(previousRecord(at(60, 90))).toBeUndefined();
  });
});
