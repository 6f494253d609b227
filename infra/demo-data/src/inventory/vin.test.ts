import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { composeVin, isValidVin } from './vin.ts';

describe('vehicle identification numbers', () => {
  it('accepts the published sample VIN and rejects it with one digit changed', () => {
    expect(isValidVin('1M8GDM9AXKP042788')).toBe(true);
    expect(isValidVin('1M8GDM9AXKP042789')).toBe(false);
  });

  it('rejects VINs with the letters I, O or Q or another length', () => {
    expect(isValidVin('1M8GDM9AXKPO42788')).toBe(false);
    expect(isValidVin('1M8GDM9AXKP04278')).toBe(false);
    expect(isValidVin('1M8GDM9AXKP0427880')).toBe(false);
  });

  it('composes valid VINs for any vehicle', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('1FT', '4T1', 'WP0', '5YJ'),
        fc.integer({ min: 1981, max: 2039 }),
        fc.nat(30_000_000),
        fc.nat(22_000_000),
        (wmi, year, descriptor, serial) => {
          expect(isValidVin(composeVin(wmi, year, descriptor, serial))).toBe(true);
        },
      ),
    );
  });

  it('encodes the model year in the tenth character of a VIN', () => {
    expect(composeVin('1FT', 2021, 0, 0)[9]).toBe('M');
    expect(composeVin('1FT', 2026, 0, 0)[9]).toBe('T');
  });
});
