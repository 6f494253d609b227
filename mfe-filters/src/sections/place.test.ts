import { describe, expect, it } from '@jest/globals';
import type { FilterValues } from '@forecourt/search/criteria';
import fc from 'fast-check';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { locationTexts, zipOf, radiusOptions } from './place.ts';
import { buildFilter } from '../testing/builders.ts';

const criteria = (filters: FilterValues) => buildCriteria({ filters });

const locationText = (...search: Parameters<typeof locationTexts>) => locationTexts(...search).join(' · ');

describe('location text', () => {
  it('names the city of the ZIP code, or the ZIP code until the city is known', () => {
    const search = criteria({ zip: ['60601'] });
    expect(locationText(search, '60601', { zip: '60601', city: 'Chicago', state: 'IL' })).toBe(
      'Chicago, IL · 50 miles',
    );
    expect(locationText(search, '60601', { zip: '30303', city: 'Atlanta', state: 'GA' })).toBe(
      '60601 · 50 miles',
    );
    expect(locationText(search, '60601', null)).toBe('60601 · 50 miles');
  });

  it('says any distance for radius 0, no distance for a city, and nationwide without a place', () => {
    expect(locationText(criteria({ zip: ['60601'], searchRadius: ['0'] }), '60601', null)).toBe(
      '60601 · Any distance',
    );
    expect(locationText(criteria({ city: ['Chicago'], state: ['IL'] }), undefined, null)).toBe('Chicago, IL');
    expect(locationText(criteria({}), undefined, null)).toBe('Nationwide');
  });

  it('uses the visitor’s ZIP code only when the search has no place', () => {
    expect(zipOf(criteria({}), '30303')).toBe('30303');
    expect(zipOf(criteria({ state: ['IL'] }), '30303')).toBeUndefined();
    expect(zipOf(criteria({ zip: ['60601'] }), '30303')).toBe('60601');
  });
});

describe('distance options', () => {
  // rows: A5-RULE-04
  it('disables a distance whose count is zero or missing', () => {
    const filter = buildFilter('searchRadius', [
      ['10', '10 Miles', 0],
      ['25', '25 Miles'],
      ['50', '50 Miles', 3],
    ]);
    expect(radiusOptions(filter).map(({ isDisabled }) => isDisabled)).toEqual([true, true, false]);
  });

  // rows: A5-RULE-05
  it('never disables radius 0 or a label with any', () => {
    const filter = buildFilter('searchRadius', [
      ['0', 'Nationwide', 0],
      ['5', 'Any'],
      ['6', 'ANY distance', 0],
    ]);
    expect(radiusOptions(filter).map(({ isDisabled }) => isDisabled)).toEqual([false, false, false]);
  });

  // rows: A9-LIMIT-05
  it('offers no distance above 100 miles', () => {
    const choice = fc.tuple(fc.nat(400).map(String), fc.string(), fc.nat(9));
    fc.assert(
      fc.property(fc.array(choice), (choices) => {
        const miles = radiusOptions(buildFilter('searchRadius', choices)).map(({ value }) => Number(value));
        expect(Math.max(0, ...miles)).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('offers 10, 25, 50, 75, 100 miles and Any without counts', () => {
    expect(radiusOptions(undefined).map(({ label }) => label)).toEqual([
      '10 miles',
      '25 miles',
      '50 miles',
      '75 miles',
      '100 miles',
      'Any',
    ]);
  });

  it('lists a selected distance that is not offered', () => {
    expect(radiusOptions(undefined, '33').at(-1)).toEqual({
      value: '33',
      label: '33 miles',
      isDisabled: false,
    });
    expect(radiusOptions(undefined, '50')).toHaveLength(6);
  });
});
