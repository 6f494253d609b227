import { describe, expect, it } from '@jest/globals';
import { createZipDirectory, milesBetween } from './index.ts';

const zips = createZipDirectory();

describe('the ZIP lookup', () => {
  // rows: A7-OTHER-05
  it('returns the city, state and market of a ZIP code', () => {
    expect(zips.lookup('30303')).toMatchObject({ success: true, city: 'Atlanta', state: 'GA', dma: '524' });
    expect(zips.lookup('60601')).toMatchObject({ success: true, city: 'Chicago', state: 'IL', dma: '602' });
  });

  it.each(['00000', '3030', '303033', 'ABCDE', '', '__proto__', 'constructor'])(
    'returns no place for the invalid ZIP code %p',
    (zip) => {
      expect(zips.lookup(zip)).toEqual({ success: false });
    },
  );

  it('finds the places of a city regardless of letter case', () => {
    expect(zips.findCity('los angeles', 'ca').map((place) => place.zip)).toContain('90012');
    expect(zips.findCity('Nowhere', 'CA')).toEqual([]);
  });

  it('finds a place near a code that the table lacks, in the area of its first three digits', () => {
    expect(zips.find('60600')).toBeUndefined();
    expect(zips.findNear('60600')).toMatchObject({ zip: '60601', city: 'Chicago' });
    expect(zips.findNear('00000')).toBeUndefined();
    expect(zips.findNear('6060')).toBeUndefined();
  });

  it('measures great-circle distances in miles', () => {
    const [chicago, atlanta] = [zips.find('60601'), zips.find('30303')];
    if (!chicago || !atlanta) throw new Error('A city is gone');
    expect(milesBetween(chicago, atlanta)).toBeCloseTo(588, -1);
    expect(milesBetween(chicago, chicago)).toBe(0);
  });
});
