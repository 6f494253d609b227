import { describe, expect, it } from '@jest/globals';
import { TRIM_SPEC_IDS, TRIM_SPECS } from './trimSpecs.ts';
import fc from 'fast-check';
import { trim } from '../testing/sampleData.ts';
import { defaultFuel, fuelsOf, trimRows, UNKNOWN } from './trimRows.ts';

const gas = trim('1', 'XL');
const electric = trim('2', 'Lightning', { fuelTypeGroup: 'ELE', epaMpgeCity: 76, epaMpgeHwy: 61 });

describe('the rows of the trim comparison', () => {
  // rows: B3-SPEC-01, B3-SPEC-02
  it('distinguish standard, optional, not available and unknown', () => {
    const specs = new Map([
      [
        '1',
        [
          { specId: 561, value: 'Optional' as const },
          { specId: 546, value: 'Standard' as const },
          { specId: 610, value: 'Not Available' as const },
        ],
      ],
    ]);
    const cell = (label: string) => trimRows([gas], specs).find((row) => row.label === label)?.cells[0];
    expect(cell(TRIM_SPECS[546])).toEqual({ kind: 'standard', text: 'Standard' });
    expect(cell(TRIM_SPECS[561])).toEqual({ kind: 'optional', text: 'Optional' });
    expect(cell(TRIM_SPECS[610])).toEqual({ kind: 'unavailable', text: 'Not Available' });
    expect(cell(TRIM_SPECS[170])).toEqual({ kind: 'unknown', text: 'Information Unavailable' });
  });

  // rows: B3-SPEC-03, B8-ERR-16
  it("read 'Information Unavailable' for a trim without a spec", () => {
    const rows = trimRows([gas], new Map([['1', []]]));
    for (const label of Object.values(TRIM_SPECS))
      expect(rows.find((row) => row.label === label)?.cells[0]?.text).toBe('Information Unavailable');
    const bare = trim('1', 'XL', { nationalMSRP: undefined, epaCity: undefined });
    expect(trimRows([bare], new Map()).filter(({ cells }) => cells[0]?.text === UNKNOWN)).toHaveLength(2);
  });

  it('wait for specs that are still on their way', () => {
    expect(trimRows([gas], new Map()).filter(({ cells }) => cells[0]?.kind === 'loading')).toHaveLength(9);
  });

  it('are facts only where nobody asks for specs', () => {
    expect(trimRows([gas], undefined).map(({ kind }) => kind)).toEqual(['fact', 'fact', 'fact']);
    expect(trimRows([gas], new Map()).filter(({ kind }) => kind === 'feature')).toHaveLength(9);
  });

  // rows: B9-TRIMS-01
  it('hold at most nine features', () => {
    const twelve = [...TRIM_SPEC_IDS, 901, 902, 903];
    const [, , , ...features] = trimRows([gas], new Map([['1', []]]), twelve);
    expect(features.map(({ label }) => label)).toEqual(TRIM_SPEC_IDS.map((id) => TRIM_SPECS[id]));
    expect(features).toHaveLength(9);
  });

  it('know whether all trims have the same, and give electric economy in MPGe', () => {
    const rows = trimRows([gas, electric], new Map());
    const row = (label: string) => rows.find((candidate) => candidate.label === label);
    expect(row('Body style')?.isSame).toBe(true);
    expect(row('City / highway')).toMatchObject({
      isSame: false,
      cells: [{ text: '18 / 24 mpg' }, { text: '76 / 61 MPGe' }],
    });
  });

  it('have one cell a trim, whatever is known', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (count, knownCount) => {
        const trims = Array.from({ length: count }, (_, at) => trim(String(at), `T${at}`));
        const specs = new Map(trims.slice(0, knownCount).map(({ vehicleId }) => [vehicleId, []]));
        for (const { cells } of trimRows(trims, specs)) expect(cells).toHaveLength(count);
      }),
    );
  });
});

describe('the fuels of the comparison', () => {
  // rows: B4-MR-08
  it("begin at the search's single fuel", () => {
    const trims = [gas, electric];
    expect(defaultFuel({ fuelTypeGroup: ['ELE'] }, trims)).toBe('ELE');
    expect(defaultFuel({ fuelTypeGroup: ['ELE', 'GSL'] }, trims)).toBeUndefined();
    expect(defaultFuel({}, trims)).toBeUndefined();
    // No trim has it: a filter that shows nothing helps nobody.
    expect(defaultFuel({ fuelTypeGroup: ['DSL'] }, trims)).toBeUndefined();
    expect(fuelsOf(trims)).toEqual(['ELE', 'GSL']);
  });
});
