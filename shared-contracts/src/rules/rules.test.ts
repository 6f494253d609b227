import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeQuery } from '../search/codec/decode.ts';
import * as constants from './constants.ts';
import { isNewCarBoostWanted } from './newCarBoost.ts';
import { affordablePrice, monthlyPayment } from './payment.ts';
import { derivedPrice, isGoodPriceDeal, priceRangeError, readPriceInput } from './price.ts';
import { compareTrimYears, formatLastExecuted, newCarYears, shortTrimName, truncateYears } from './years.ts';
import { INVALID_ZIP, isZip, normalizeZip, typedZipError } from './zip.ts';

describe('price ranges', () => {
  // rows: B5-PRICE-01
  it('refuse equal bounds', () => {
    expect(priceRangeError(10000, 10000)).toBe('Min and Max price cannot be the same.');
  });

  // rows: B5-PRICE-02
  it('refuse a minimum above the maximum', () => {
    expect(priceRangeError(20000, 10000)).toBe('Max price must be greater than Min price.');
  });

  // rows: B5-PRICE-03
  it('refuse a maximum of 0 before anything else', () => {
    expect(priceRangeError(undefined, 0)).toBe('Max price must be greater than 0.');
    expect(priceRangeError(0, 0)).toBe('Max price must be greater than 0.');
  });

  it('take open and ordered ranges, a minimum of 0 being none', () => {
    expect(priceRangeError(undefined, undefined)).toBeUndefined();
    expect(priceRangeError(5, undefined)).toBeUndefined();
    expect(priceRangeError(0, 5)).toBeUndefined();
    expect(priceRangeError(4, 5)).toBeUndefined();
  });
});

describe('price inputs', () => {
  const value = (text: string) => {
    const input = readPriceInput(text);
    return input.kind === 'valid' ? input.value : input.kind;
  };

  // rows: B5-PINPUT-01
  it('take digits, commas and dollar signs only', () => {
    expect(value('12a')).toBe('refused');
    expect(value('$12,000')).toBe(12000);
    expect(value('')).toBe('empty');
    expect(value('$,')).toBe('refused');
  });

  // rows: B5-PINPUT-02
  it('take 1 to 10 characters', () => {
    expect(value('1234567890')).toBe(1234567890);
    expect(value('12345678901')).toBe('refused');
    expect(value('$1,234,5678')).toBe('refused');
  });

  // rows: B5-PINPUT-03, B5-PINPUT-04
  it('take neither decimals nor leading zeros, but 0 alone', () => {
    expect(value('100.50')).toBe('refused');
    expect(value('0100')).toBe('refused');
    expect(value('0')).toBe(0);
  });

  it('give back every whole price in any of its writings', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999 }), (price) => {
        expect(readPriceInput(String(price))).toEqual({ kind: 'valid', value: price });
        expect(readPriceInput(`$${price.toLocaleString('en-US')}`)).toEqual({ kind: 'valid', value: price });
      }),
    );
  });
});

describe('prices of a listing', () => {
  it('prefer incentive, then sale price, then MSRP', () => {
    expect(derivedPrice({ incentive: 1, salePrice: 2, msrp: 3 })).toBe(1);
    expect(derivedPrice({ salePrice: 2, msrp: 3 })).toBe(2);
    expect(derivedPrice({ msrp: 3 })).toBe(3);
    expect(derivedPrice({})).toBeUndefined();
  });

  // rows: B3-LISTING-03
  it('are good for Great and Good deals only', () => {
    expect(['Great', 'Good', 'Fair', 'High', undefined].map(isGoodPriceDeal)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('ZIP codes', () => {
  // rows: A5-RULE-01
  it('keep their first five digits or go', () => {
    expect(normalizeZip('303031')).toBe('30303');
    expect(normalizeZip('303')).toBeUndefined();
    expect(normalizeZip(undefined)).toBeUndefined();
  });

  it('are not cut when typed', () => {
    expect(INVALID_ZIP).toBe('Enter a valid ZIP Code');
    expect(typedZipError('30303-1234')).toBe(INVALID_ZIP);
    expect(typedZipError('３０３０３')).toBe(INVALID_ZIP);
    expect(typedZipError('30303')).toBeUndefined();
  });

  it('normalise to a ZIP or to nothing, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const zip = normalizeZip(text);
        expect(zip === undefined || isZip(zip)).toBe(true);
        expect(normalizeZip(zip)).toBe(zip);
      }),
    );
  });
});

describe('new-car boosts', () => {
  const wanted = (query: string, edit: Partial<Parameters<typeof isNewCarBoostWanted>[1]> = {}) =>
    isNewCarBoostWanted(decodeQuery(query).filters, {
      zip: '30303',
      currentYear: 2024,
      totalResultCount: 75,
      ...edit,
    });

  // rows: B5-BOOST-01
  it('need a ZIP', () => {
    expect(wanted('')).toBe(true);
    expect(wanted('', { zip: undefined })).toBe(false);
    expect(wanted('', { zip: '3030' })).toBe(false);
  });

  // rows: B5-BOOST-02
  it('are not for those who look at new cars', () => {
    expect(wanted('listingType=NEW')).toBe(false);
    expect(wanted('listingType=USED')).toBe(true);
  });

  // rows: B5-BOOST-03, B9-MPG-03
  it('need an end year within six years', () => {
    expect(wanted('endYear=2018')).toBe(false);
    expect(wanted('endYear=2019')).toBe(true);
  });

  // rows: B5-BOOST-04
  it('need a start year before the current one', () => {
    expect(wanted('startYear=2024')).toBe(false);
    expect(wanted('startYear=2025')).toBe(false);
    expect(wanted('startYear=2023')).toBe(true);
  });

  // rows: B5-BOOST-05
  it('are not for private sellers', () => {
    expect(wanted('sellerType=p')).toBe(false);
    expect(wanted('sellerType=p,d')).toBe(true);
  });

  // rows: B9-GRID-07
  it('need 75 results', () => {
    expect(wanted('', { totalResultCount: 74 })).toBe(false);
  });
});

describe('payments', () => {
  // rows: B9-PAYMENT-01
  it('follow the amortisation formula in whole dollars', () => {
    expect(monthlyPayment(30000)).toBe(460);
    expect(monthlyPayment(30000, { down: 0, termMonths: 60, aprPercent: 0 })).toBe(500);
    expect(monthlyPayment(1000, { down: 5000 })).toBe(0);
  });

  it('stay within a budget for the price that it affords', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 5000 }), (budget) => {
        expect(monthlyPayment(affordablePrice(budget))).toBeLessThanOrEqual(budget);
        expect(monthlyPayment(affordablePrice(budget) + 200)).toBeGreaterThan(budget);
      }),
    );
  });
});

describe('years and names', () => {
  // rows: A5-RULE-09, A9-LIMIT-11
  it('offer four model years of new cars from two years back', () => {
    expect(newCarYears(2024)).toEqual([2025, 2024, 2023, 2022]);
  });

  // rows: B9-TRIMS-03
  it('compare the current and the next model year', () => {
    expect(compareTrimYears(2024)).toEqual([2024, 2025]);
  });

  // rows: B5-LIST-01, B9-TRIMS-02
  it('truncate five or more years to the top eleven', () => {
    const years = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ value: String(2000 + index) }));
    expect(truncateYears(years(4))).toEqual(years(4));
    expect(truncateYears(years(5)).map(({ value }) => value)).toEqual([
      '2004',
      '2003',
      '2002',
      '2001',
      '2000',
    ]);
    const top = truncateYears(years(15));
    expect([top.length, top[0]?.value, top.at(-1)?.value]).toEqual([11, '2014', '2004']);
  });

  // rows: B5-LIST-02
  it('cut a trim name after 30 characters', () => {
    expect(shortTrimName('x'.repeat(30))).toBe('x'.repeat(30));
    expect(shortTrimName('x'.repeat(31))).toBe(`${'x'.repeat(30)}...`);
  });

  // rows: A3-BOOKMARK-02
  it("write a bookmark's time in UTC with an unpadded day", () => {
    expect(formatLastExecuted(new Date(Date.UTC(2024, 2, 5, 14, 7, 9)))).toBe('2024/03/5 14:07:09');
  });
});

describe('constants', () => {
  // rows: A9-LIMIT-07, A9-LIMIT-08, A9-LIMIT-09
  it('hold the limits of the first spec', () => {
    expect(constants).toMatchObject({
      BROWSING_HISTORY_REFETCH_MS: 120000,
      NOTIFICATION_WINDOW_MS: 86400000,
      VIEW_COUNT_DAYS: 7,
    });
  });

  // rows: A9-LIMIT-05
  it('offer no finite radius above 100', () => {
    expect(Math.max(...constants.SEARCH_RADIUS_OPTIONS)).toBe(100);
  });

  // rows: B9-LEN-01, B9-LEN-02, B9-LEN-03
  it('hold the lengths of inputs', () => {
    expect([constants.ZIP_LENGTH, constants.PRICE_INPUT_MAX_LENGTH, constants.EMAIL_MAX_LENGTH]).toEqual([
      5, 10, 45,
    ]);
  });

  // rows: A9-TIMEOUT-08
  it('reset every breaker after 30 to 300 seconds', () => {
    for (const { reset } of Object.values(constants.CALL_TIMES)) {
      expect(reset).toBeGreaterThanOrEqual(30_000);
      expect(reset).toBeLessThanOrEqual(300_000);
    }
  });
});
