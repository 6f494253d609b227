import { describe, expect, it } from '@jest/globals';
import type { FilterValues } from '@forecourt/shared-contracts/criteria';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { locationText, zipOf } from './place.ts';

const criteria = (filters: FilterValues) => buildCriteria({ filters });

describe('the place in words', () => {
  it('is the city of the ZIP, or the ZIP until it is known', () => {
    const search = criteria({ zip: ['60601'] });
    expect(locationText(search, '60601', { zip: '60601', city: 'Chicago', state: 'IL' })).toBe(
      'Chicago, IL · 50 miles',
    );
    expect(locationText(search, '60601', { zip: '30303', city: 'Atlanta', state: 'GA' })).toBe(
      '60601 · 50 miles',
    );
    expect(locationText(search, '60601', null)).toBe('60601 · 50 miles');
  });

  it('says any distance for radius 0, no distance around a city, and nationwide without a place', () => {
    expect(locationText(criteria({ zip: ['60601'], searchRadius: ['0'] }), '60601', null)).toBe(
      '60601 · Any distance',
    );
    expect(locationText(criteria({ city: ['Chicago'], state: ['IL'] }), undefined, null)).toBe('Chicago, IL');
    expect(locationText(criteria({}), undefined, null)).toBe('Nationwide');
  });

  it('takes the visitor’s ZIP only when the search names no place', () => {
    expect(zipOf(criteria({}), '30303')).toBe('30303');
    expect(zipOf(criteria({ state: ['IL'] }), '30303')).toBeUndefined();
    expect(zipOf(criteria({ zip: ['60601'] }), '30303')).toBe('60601');
  });
});
