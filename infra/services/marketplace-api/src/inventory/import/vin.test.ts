import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameKey } from '../../domain/catalog.ts';
import { demoContent } from '../../testing/testApp.ts';
import { decodeVin, isCheckDigitRight, isVinPlausible } from './vin.ts';
import { WMIS_BY_MAKE } from './wmi.data.ts';

const CHECK = 8;
const CHARACTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
const CHECK_DIGITS = '0123456789X';
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
/** Letters with the value of a digit, by 49 CFR 565.15. */
const VALUE_GROUPS = ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HY', '9RZ'];
const valueOf = (character: string) => VALUE_GROUPS.findIndex((group) => group.includes(character));

const withCharacter = (vin: string, at: number, character: string) =>
  vin.slice(0, at) + character + vin.slice(at + 1);
const right = (vin: string): string =>
  [...CHECK_DIGITS].map((digit) => withCharacter(vin, CHECK, digit)).find(isCheckDigitRight)!;
const vins = fc
  .string({ unit: fc.constantFrom(...CHARACTERS), minLength: 17, maxLength: 17 })
  .map((text) => right(text));
const positions = fc.integer({ min: 0, max: 16 }).filter((at) => at !== CHECK);

describe('the check digit of a VIN', () => {
  it('is right for vehicles on the road', () => {
    for (const vin of ['1M8GDM9AXKP042788', '1HGCM82633A004352', 'JF1GPAD60D1803590', 'KNDCE3LG2L5073161'])
      expect([vin, isCheckDigitRight(vin)]).toEqual([vin, true]);
  });

  it('is one of eleven characters, whatever the others are', () => {
    fc.assert(
      fc.property(vins, (vin) => {
        const fitting = [...CHECK_DIGITS].filter((digit) =>
          isCheckDigitRight(withCharacter(vin, CHECK, digit)),
        );
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  it('detects each wrong character, unless it has the same value', () => {
    fc.assert(
      fc.property(vins, positions, fc.constantFrom(...CHARACTERS), (vin, at, character) => {
        const isSameValue = valueOf(vin[at]!) === valueOf(character);
        expect(isCheckDigitRight(withCharacter(vin, at, character))).toBe(isSameValue);
      }),
    );
  });

  it('detects swapped neighbors of different values', () => {
    fc.assert(
      fc.property(vins, fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15), (vin, at) => {
        const [first = '', second = ''] = [vin[at], vin[at + 1]];
        const swapped = withCharacter(withCharacter(vin, at, second), at + 1, first);
        expect(isCheckDigitRight(swapped)).toBe(valueOf(first) === valueOf(second));
      }),
    );
  });

  it('may be wrong outside North America', () => {
    expect([isVinPlausible('WVWZZZ1KZAW000001'), isVinPlausible('1HGCM82643A004352')]).toEqual([true, false]);
  });
});

describe('decoding a VIN', () => {
  it('finds make and model year', () => {
    const decoded = (vin: string) => {
      const { makes, year } = decodeVin(vin, 2028) ?? {};
      return [makes, year];
    };
    expect(decoded('1HGCM82633A004352')).toEqual([['Honda'], 2003]);
    expect(decoded('5YJSA1H12FFP71790')).toEqual([['Tesla'], 2015]);
    expect(decoded('KNDCE3LG2L5073161')).toEqual([['Kia'], 2020]);
    expect(decoded('JF1GPAD60D1803590')).toEqual([['Scion', 'Subaru', 'Toyota'], 2013]);
    expect(decodeVin('1HGCM82643A004352', 2028)).toBeUndefined();
  });

  it('reads every model year from 1980 to 2039, and contradicts all others within 30 years', () => {
    const era = fc.constantFrom('5', 'D');
    fc.assert(
      fc.property(
        vins,
        fc.nat({ max: 29 }),
        era,
        fc.integer({ min: -29, max: 29 }),
        (vin, code, letter, off) => {
          const coded = withCharacter(withCharacter(vin, 6, letter), 9, YEAR_CODES[code]!);
          const year = 1980 + code + (letter === 'D' ? 30 : 0);
          const decoded = decodeVin(right(coded), 2039)!;
          expect(decoded.year).toBe(year);
          expect(decoded.contradicts({ make: 'Unlisted', year: year + off })).toBe(off !== 0);
        },
      ),
    );
    const future = right(withCharacter(withCharacter('1HGCM82633A004352', 6, 'D'), 9, '9'));
    expect(decodeVin(future, 2028)?.year).toBeUndefined();
  });

  it('contradicts another known make only', () => {
    const decoded = decodeVin('1HGCM82633A004352', 2028)!;
    const makes = ['HONDA', 'Toyota', 'Mercedes-Benz', 'Hondamatic'];
    expect(makes.filter((make) => decoded.contradicts({ make, year: 2003 }))).toEqual([
      'Toyota',
      'Mercedes-Benz',
    ]);
  });

  it('knows every make of the catalog, by identifiers of three characters', () => {
    const known = new Set(Object.keys(WMIS_BY_MAKE).map(nameKey));
    expect(demoContent.catalog.makes.filter(({ name }) => !known.has(nameKey(name)))).toEqual([]);
    for (const wmis of Object.values(WMIS_BY_MAKE))
      expect(wmis).toMatch(/^[A-HJ-NPR-Z0-9]{3}( [A-HJ-NPR-Z0-9]{3})*$/);
  });
});
