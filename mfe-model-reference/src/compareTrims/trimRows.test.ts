import { describe, expect, it } from '@jest/globals';
import { TRIM_SPEC_IDS, TRIM_SPECS, defaultFuel, fuelsOf, trimRows, UNKNOWN } from './trimRows.ts';
import fc from 'fast-check';
import { trim } from '../testing/sampleData.ts';

const gas = trim('1', 'XL');
const electric = trim('2', 'Lightning', { fuelTypeGroup: 'ELE', epaMpgeCity: 76, epaMpgeHwy: 61 });

describe('trim comparison rows', () => {
  // rows: B3-SPEC-01, B3-SPEC-02
  it('distinguishes standard, optional, not available and unknown', () => {
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
  it("shows 'Information Unavailable' for a trim without a spec", () => {
    const rows = trimRows([gas], new Map([['1', []]]));
    for (const label of Object.values(TRIM_SPECS))
      expect(rows.find((row) => row.label === label)?.cells[0]?.text).toBe('Information Unavailable');
    const minimalTrim = trim('1', 'XL', { nationalMSRP: undefined, epaCity: undefined });
    expect(trimRows([minimalTrim], new Map()).filter(({ cells }) => cells[0]?.text === UNKNOWN)).toHaveLength(
      2,
    );
  });

  it('shows a loading cell while specs load', () => {
    expect(trimRows([gas], new Map()).filter(({ cells }) => cells[0]?.kind === 'loading')).toHaveLength(9);
  });

  it('returns only facts without specs', () => {
    expect(trimRows([gas], undefined).map(({ kind }) => kind)).toEqual(['fact', 'fact', 'fact']);
    expect(trimRows([gas], new Map()).filter(({ kind }) => kind === 'feature')).toHaveLength(9);
  });

  // rows: B9-TRIMS-01
  it('lists at most nine features', () => {
    const twelve = [...TRIM_SPEC_IDS, 901, 902, 903];
    const [, , , ...features] = trimRows([gas], new Map([['1', []]]), twelve);
    expect(features.map(({ label }) => label)).toEqual(TRIM_SPEC_IDS.map((id) => TRIM_SPECS[id]));
    expect(features).toHaveLength(9);
  });

  it('names a feature that is not in the table by its id', () => {
    const [, , , ...features] = trimRows([gas], new Map([['1', []]]), [901]);
    expect(features.map(({ label }) => label)).toEqual(['Feature 901']);
  });

  it('marks rows with equal values and shows electric economy in MPGe', () => {
    const rows = trimRows([gas, electric], new Map());
    const row = (label: string) => rows.find((candidate) => candidate.label === label);
    expect(row('Body style')?.isSame).toBe(true);
    expect(row('City / highway')).toMatchObject({
      isSame: false,
      cells: [{ text: '18 / 24 mpg' }, { text: '76 / 61 MPGe' }],
    });
  });

  it('returns one cell per trim for any data', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (count, knownCount) => {
        const trims = Array.from({ length: count }, (_, at) => trim(String(at), `T${at}`));
        const specs = new Map(trims.slice(0, knownCount).map(({ vehicleId }) => [vehicleId, []]));
        for (const { cells } of trimRows(trims, specs)) expect(cells).toHaveLength(count);
      }),
    );
  });
});

describe('fuels of the comparison', () => {
  // rows: B4-MR-08
  it("defaults to the search's single fuel", () => {
    const trims = [gas, electric];
    expect(defaultFuel({ fuelTypeGroup: ['ELE'] }, trims)).toBe('ELE');
    expect(defaultFuel({ fuelTypeGroup: ['ELE', 'GSL'] }, trims)).toBeUndefined();
    expect(defaultFuel({}, trims)).toBeUndefined();
    // No trim has this fuel, so the filter would show nothing.
    expect(defaultFuel({ fuelTypeGroup: ['DSL'] }, trims)).toBeUndefined();
    expect(fuelsOf(trims)).toEqual(['ELE', 'GSL']);
  });
});

describe('the specs of a trim', () => {
  // rows: B3-SPEC-04, B3-SPEC-05, B3-SPEC-06, B3-SPEC-07, B3-SPEC-08, B3-SPEC-09, B3-SPEC-10, B3-SPEC-11
  // rows: B3-SPEC-12
  it('identifies the specs of a trim by their ids', () => {
    expect(TRIM_SPEC_IDS.map((id) => [id, TRIM_SPECS[id]])).toEqual([
      [546, expect.stringMatching(/heated seats/i)],
      [561, expect.stringMatching(/leather/i)],
      [610, expect.stringMatching(/rearview camera/i)],
      [170, expect.stringMatching(/bluetooth/i)],
      [160, expect.stringMatching(/alarm/i)],
      [557, expect.stringMatching(/lane departure/i)],
      [236, expect.stringMatching(/navigation/i)],
      [615, expect.stringMatching(/remote start/i)],
      [578, expect.stringMatching(/sunroof/i)],
    ]);
    expect(Object.keys(TRIM_SPECS)).toHaveLength(TRIM_SPEC_IDS.length);
  });
});
