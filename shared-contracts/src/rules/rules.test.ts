import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CALL_TIMES } from '../calls/definition.ts';
import { SEARCH_RADIUS_OPTIONS } from '../criteria/criteria.ts';
import { EMAIL_MAX_LENGTH } from '../entities/forms.ts';
import { VIEW_COUNT_DAYS, formatLastExecuted } from './index.ts';
import { formatCount, formatDate, formatDollars, formatNumber, formatPercent } from '../format/format.ts';
import { affordablePrice, monthlyPayment } from '../criteria/payment.ts';
import { derivedPrice } from './pricing.ts';
import { INVALID_ZIP, ZIP_LENGTH, isZip, normalizeZip, typedZipError } from '../criteria/values.ts';

describe('prices of a listing', () => {
  it('derives the price from incentive, then sale price, then MSRP', () => {
    expect(derivedPrice({ incentive: 1, salePrice: 2, msrp: 3 })).toBe(1);
    expect(derivedPrice({ salePrice: 2, msrp: 3 })).toBe(2);
    expect(derivedPrice({ msrp: 3 })).toBe(3);
    expect(derivedPrice({})).toBeUndefined();
  });
});

describe('ZIP codes', () => {
  // rows: A5-RULE-01
  it('normalizes a ZIP to its first five digits, or drops it', () => {
    expect(normalizeZip('303031')).toBe('30303');
    expect(normalizeZip('303')).toBeUndefined();
    expect(normalizeZip(undefined)).toBeUndefined();
  });

  it('does not truncate a typed ZIP', () => {
    expect(INVALID_ZIP).toBe('Enter a valid ZIP Code');
    expect(typedZipError('30303-1234')).toBe(INVALID_ZIP);
    expect(typedZipError('３０３０３')).toBe(INVALID_ZIP);
    expect(typedZipError('30303')).toBeUndefined();
  });

  it('normalizes any text to a ZIP or to undefined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const zip = normalizeZip(text);
        expect(zip === undefined || isZip(zip)).toBe(true);
        expect(normalizeZip(zip)).toBe(zip);
      }),
    );
  });
});
describe('payments', () => {
  // rows: B9-PAYMENT-01
  it('follows the amortization formula in whole dollars', () => {
    expect(monthlyPayment(30000)).toBe(460);
    expect(monthlyPayment(30000, { down: 0, termMonths: 60, aprPercent: 0 })).toBe(500);
    expect(monthlyPayment(1000, { down: 5000 })).toBe(0);
  });

  it('stays within a budget for the price that it can pay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 5000 }), (budget) => {
        expect(monthlyPayment(affordablePrice(budget))).toBeLessThanOrEqual(budget);
        expect(monthlyPayment(affordablePrice(budget) + 200)).toBeGreaterThan(budget);
      }),
    );
  });
});

describe('years and names', () => {
  // rows: A3-BOOKMARK-02
  it("formats a bookmark's time in UTC with an unpadded day", () => {
    expect(formatLastExecuted(new Date(Date.UTC(2024, 2, 5, 14, 7, 9)))).toBe('2024/03/5 14:07:09');
  });
});
describe('constants', () => {
  // rows: A9-LIMIT-09
  it('counts views of the last seven days', () => {
    expect(VIEW_COUNT_DAYS).toBe(7);
  });

  // rows: A9-LIMIT-05
  it('offers no finite radius above 100', () => {
    expect(Math.max(...SEARCH_RADIUS_OPTIONS)).toBe(100);
  });

  // rows: B9-LEN-01, B9-LEN-03
  it('limits a ZIP code to 5 digits and a captured email address to 45 characters', () => {
    expect([ZIP_LENGTH, EMAIL_MAX_LENGTH]).toEqual([5, 45]);
  });

  // rows: A9-TIMEOUT-08
  it('resets every breaker after 30 to 300 seconds', () => {
    for (const { reset } of Object.values(CALL_TIMES)) {
      expect(reset).toBeGreaterThanOrEqual(30_000);
      expect(reset).toBeLessThanOrEqual(300_000);
    }
  });
});

describe('formatted values', () => {
  it('writes numbers and dollars as Intl does', () => {
    const numbers = new Intl.NumberFormat('en-US');
    const dollars = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 0,
    });
    const value = fc.oneof(fc.integer({ min: -10, max: 2_000_000 }), fc.maxSafeInteger(), fc.double());
    fc.assert(
      fc.property(value, (number) => {
        expect(formatNumber(number)).toBe(numbers.format(number));
        expect(formatDollars(number)).toBe(dollars.format(number));
      }),
    );
  });

  it('follows the plural, percent and date rules of US English', () => {
    expect([0, 1, 1200].map((count) => formatCount(count, 'Match', 'Matches'))).toEqual([
      '0 Matches',
      '1 Match',
      '1,200 Matches',
    ]);
    expect([0.1, 0.0699].map(formatPercent)).toEqual(['10%', '6.99%']);
    expect(formatDate('2026-06-05')).toBe('June 5, 2026');
  });
});
