import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseMileage, parseNumber, parsePrice, parseYear, UnreadableValue } from './values.ts';

const amounts = fc
  .integer({ min: 1_000, max: 9_999_998 })
  .filter((value) => !/^(?:9{6,}|1{6,}|1234567)$/.test(String(value)));
const grouped = (value: number, sign: string): string => value.toLocaleString('en-US').replaceAll(',', sign);

describe('prices', () => {
  it('parses a price with any thousands separator', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(',', '.', ' ', '\u00a0', '\u202f', "'", ''), (value, sign) => {
        expect(parsePrice(grouped(value, sign))).toBe(value);
      }),
    );
  });

  it('parses a price with any currency sign and with cents', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 49 }), (value, cents) => {
        const fraction = String(cents).padStart(2, '0');
        expect(parsePrice(`$${grouped(value, ',')}.${fraction}`)).toBe(value);
        expect(parsePrice(`${grouped(value, '.')},${fraction} €`, { rates: { EUR: 1 } })).toBe(value);
        expect(parsePrice(`USD ${value}`)).toBe(value);
      }),
    );
  });

  it('returns whole dollars, undefined or a typed error for any price text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+\d.,$ k]{0,12}$/)), (text) => {
        try {
          const price = parsePrice(text);
          expect(price === undefined || (Number.isSafeInteger(price) && price > 0)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableValue);
        }
      }),
    );
  });

  it.each(['', '0', '$0.00', 'Call', 'call for price', 'N/A', '-'])('parses %j as no price', (text) => {
    expect(parsePrice(text)).toBeUndefined();
  });

  it.each(['abc', '-500', '1,2,3', '99999999999', '12.34.56'])('rejects the price %j', (text) => {
    expect(() => parsePrice(text)).toThrow(UnreadableValue);
  });

  it('parses a k suffix as thousands', () => {
    expect(parsePrice('$18.5k')).toBe(18_500);
    expect(parseNumber('24K')).toBe(24_000);
  });
});

describe('mileages', () => {
  it('converts kilometers to miles by the unit of the feed or of the value', () => {
    expect(parseMileage('100,000', 'km')).toBe(62_137);
    expect(parseMileage('100 000 km', 'mi')).toBe(62_137);
    expect(parseMileage('62,137 miles', 'km')).toBe(62_137);
  });

  it('never converts more kilometers to fewer miles', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(parseMileage(String(less), 'km')).toBeLessThanOrEqual(parseMileage(String(more), 'km') ?? 0);
      }),
    );
  });

  it('parses a mileage of zero as zero and an empty one as undefined', () => {
    expect(parseMileage('0', 'mi')).toBe(0);
    expect(parseMileage('N/A', 'mi')).toBeUndefined();
    expect(() => parseMileage('low', 'mi')).toThrow(UnreadableValue);
  });
});

describe('model years', () => {
  it.each([
    ['2022', 2022],
    ['2022.0', 2022],
    ['MY2023', 2023],
    ["'19", 2019],
    ['98', 1998],
  ])('parses the model year %j as %d', (text, year) => {
    expect(parseYear(text, 2026)).toBe(year);
  });

  it.each(['', '1899', '2029', '20222', 'new', '2.022'])('rejects the model year %j', (text) => {
    expect(() => parseYear(text, 2026)).toThrow(UnreadableValue);
  });
});
