import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildFilter } from '../testing/buildFilters.ts';
import { radiusOptions } from './radiusOptions.ts';

describe('distances', () => {
  // rows: A5-RULE-04
  it('disables one whose count is zero or missing', () => {
    const filter = buildFilter('searchRadius', [
      ['10', '10 Miles', 0],
      ['25', '25 Miles'],
      ['50', '50 Miles', 3],
    ]);
    expect(radiusOptions(filter).map(({ isDisabled }) => isDisabled)).toEqual([true, true, false]);
  });

  // rows: A5-RULE-05
  it('never disables radius 0 or a label that says any', () => {
    const filter = buildFilter('searchRadius', [
      ['0', 'Nationwide', 0],
      ['5', 'Any'],
      ['6', 'ANY distance', 0],
    ]);
    expect(radiusOptions(filter).some(({ isDisabled }) => isDisabled)).toBe(false);
  });

  // rows: A9-LIMIT-05
  it('offers none above 100 miles, whatever the answer names', () => {
    const choice = fc.tuple(fc.nat(400).map(String), fc.string(), fc.nat(9));
    fc.assert(
      fc.property(fc.array(choice), (choices) => {
        const miles = radiusOptions(buildFilter('searchRadius', choices)).map(({ value }) => Number(value));
        expect(Math.max(0, ...miles)).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('offers 10, 25, 50, 75, 100 miles and Any where nothing is counted', () => {
    expect(radiusOptions(undefined).map(({ label }) => label)).toEqual([
      '10 miles',
      '25 miles',
      '50 miles',
      '75 miles',
      '100 miles',
      'Any',
    ]);
  });

  it('name a chosen distance that nobody offers', () => {
    expect(radiusOptions(undefined, '33').at(-1)).toEqual({
      value: '33',
      label: '33 miles',
      isDisabled: false,
    });
    expect(radiusOptions(undefined, '50')).toHaveLength(6);
  });
});
