import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readMapArea, writeMapArea } from './mapArea.ts';
import { addFilters, clearFilters, selectCategory } from './changes.ts';
import { decodeQuery } from './decode.ts';
import { normalizeUrl } from '../url/normalizeUrl.ts';
import { chipsOf } from '../catalog/chips.ts';
import { createLabels, placeText } from '../catalog/labels.ts';
import { EMPTY_SLUG_REFERENCE } from './slugs.ts';

const AUSTIN = '29.9~-98.1~30.6~-97.3';

const latitude = fc.double({ min: 18, max: 71, noNaN: true });
const longitude = fc.double({ min: -179, max: -65, noNaN: true });

describe('the map area of a search', () => {
  it('is rounded to hundredths of a degree and clipped to the United States', () => {
    const read = (text: string) => decodeQuery(new URLSearchParams({ area: text })).filters.area?.[0];
    expect(read('29.9012~-98.0999~30.604~-97.2951')).toBe('29.9~-98.1~30.6~-97.3');
    expect(read('-10~-200~80~0')).toBe('17~-180~72~-64');
    expect(read('30.005~-98~31~-97.125')).toBe('30.01~-98~31~-97.12');
  });

  it.each([
    ['three numbers', '29.9~-98.1~30.6'],
    ['north before south', '30.6~-98.1~29.9~-97.3'],
    ['no width after rounding', '29.9~-98.101~30.6~-98.099'],
    ['Europe', '45~5~50~10'],
    ['an exponent', '1e1~-98.1~30.6~-97.3'],
    ['words', 'a~b~c~d'],
  ])('is dropped if it has %s', (_, text) => {
    expect(decodeQuery(new URLSearchParams({ area: text })).filters).toEqual({});
  });

  it('has one URL, with the map, and needs no further redirect', () => {
    const normalized = normalizeUrl(
      `/cars-for-sale?view=MAP&zip=60601&area=${encodeURIComponent('29.9001~-98.1~30.6~-97.3')}`,
      EMPTY_SLUG_REFERENCE,
    );
    expect(normalized).toMatchObject({
      canonicalUrl: `/cars-for-sale?area=${AUSTIN}&view=map&zip=60601`,
      needsRedirect: true,
    });
    expect(
      normalizeUrl(`/cars-for-sale?area=${AUSTIN}&view=map&zip=60601`, EMPTY_SLUG_REFERENCE),
    ).toMatchObject({
      needsRedirect: false,
      criteria: { view: 'map', filters: { area: [AUSTIN], zip: ['60601'] } },
    });
  });

  it('has a chip of its own, and then the ZIP that distances are measured from is no place', () => {
    const criteria = decodeQuery(`area=${AUSTIN}&zip=60601`);
    const chips = chipsOf(criteria, { labelOf: createLabels({}), place: { city: 'Chicago', state: 'IL' } });
    expect(chips.map(({ label, params }) => [label, params])).toEqual([['Map area', ['area']]]);
    expect(placeText({ ...criteria.filters, searchRadius: ['50'] })).toBe('60601');
  });

  it('stays for All Results like every location, and goes with Clear Filters', () => {
    const criteria = decodeQuery(`area=${AUSTIN}&view=map&makeCode=FORD`);
    expect(selectCategory(criteria, undefined)).toMatchObject({ view: 'map', filters: { area: [AUSTIN] } });
    expect(clearFilters(criteria).filters).toEqual({});
    expect(addFilters(criteria, { makeCode: ['BMW'] }).filters.area).toEqual([AUSTIN]);
  });

  it('can be written and read again, whatever it is', () => {
    fc.assert(
      fc.property(latitude, longitude, latitude, longitude, (south, west, north, east) => {
        const text = writeMapArea({ south, west, north, east });
        const area = readMapArea(text);
        if (area) expect(writeMapArea(area)).toBe(text);
        else expect(north - south < 0.01 || east - west < 0.01).toBe(true);
      }),
    );
  });
});
