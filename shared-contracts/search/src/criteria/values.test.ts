import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMAIL_MAX_LENGTH } from '@forecourt/upstream/entities';
import { SEARCH_RADIUS_OPTIONS } from './criteria.ts';
import { INVALID_ZIP, ZIP_LENGTH, isZip, normalizeZip, typedZipError } from './values.ts';

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

describe('limits of values', () => {
  // rows: A9-LIMIT-05
  it('offers no finite radius above 100', () => {
    expect(Math.max(...SEARCH_RADIUS_OPTIONS)).toBe(100);
  });

  // rows: B9-LEN-01, B9-LEN-03
  it('limits a ZIP code to 5 digits and a captured email address to 45 characters', () => {
    expect([ZIP_LENGTH, EMAIL_MAX_LENGTH]).toEqual([5, 45]);
  });
});
