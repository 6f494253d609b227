import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildFilters } from '../testing/buildFilters.ts';
import { CAB_OPTIONS, cabCount, cabOf } from './truckCab.ts';

const filter = buildFilters().find(({ name }) => name === 'bodyStyleSubtypeCode');

describe('truck cabs', () => {
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
