import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildFilters } from '../testing/buildFilters.ts';
import { CAB_OPTIONS, cabCount, cabOf } from './truckCab.ts';

const codesOf = (label: string) => CAB_OPTIONS.find((option) => option.label === label)?.codes;
const filter = buildFilters().find(({ name }) => name === 'bodyStyleSubtypeCode');

describe('truck cabs', () => {
  it('are Any, 3 or less, 4, 5 and 6 in this order [B5-CAB-01]', () => {
    expect(CAB_OPTIONS.map(({ label }) => label)).toEqual(['Any', '3 or less', '4', '5', '6']);
  });

  it('have the same crew-cab codes for 5 and 6 [B5-CAB-02]', () => {
    expect(codesOf('5')).toEqual(['CREWCAB', 'CREWMAX']);
    expect(codesOf('6')).toEqual(codesOf('5'));
  });

  it('show the first of equal options after a reload and the picked one before it', () => {
    expect(cabOf(['CREWMAX', 'CREWCAB'])?.label).toBe('5');
    expect(cabOf(['CREWCAB', 'CREWMAX'], '6')?.label).toBe('6');
    expect(cabOf([], '6')?.label).toBe('Any');
  });

  it('name no mixture of codes that is no option', () => {
    fc.assert(
      fc.property(fc.subarray(['REGCAB', 'EXTCAB', 'CREWCAB', 'CREWMAX', 'OTHER']), (codes) => {
        const cab = cabOf(codes);
        expect(cab === undefined || new Set([...cab.codes, ...codes]).size === codes.length).toBe(true);
      }),
    );
  });

  it('count the results of all their codes', () => {
    expect(cabCount(CAB_OPTIONS[3]!, filter)).toBe(6500);
    expect(cabCount(CAB_OPTIONS[0]!, filter)).toBeUndefined();
    expect(cabCount(CAB_OPTIONS[3]!, undefined)).toBeUndefined();
  });
});
