import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLabels, FILTERS, type FilterName, type FilterSection } from '@forecourt/search/catalog';
import { buildFilter, buildFilters } from '../testing/builders.ts';
import { panelOptions } from './panelSections.ts';

const section = (name: FilterName): FilterSection => FILTERS.find((entry) => entry.name === name)!;
const filter = (name: string) => buildFilters().find((entry) => entry.name === name);
const labelOf = createLabels({});
const values = (options: readonly { value: string }[]) => options.map(({ value }) => value);

describe('section options', () => {
  // rows: B5-FUEL-01
  it('lists fuels in display order, alternative last', () => {
    const options = panelOptions(
      section('fuelTypeGroup'),
      'fuelTypeGroup',
      filter('fuelTypeGroup'),
      [],
      labelOf,
    );
    expect(options.map(({ label }) => label)).toEqual([
      'Electric',
      'Gasoline',
      'Hybrid',
      'Plug-in Hybrid',
      'Diesel',
      'Hydrogen',
      'Alternative',
    ]);
  });

  it('keeps the response’s order in every other section, whatever is selected', () => {
    // Codes of fuels have no order elsewhere.
    const fuels = filter('fuelTypeGroup')!.options;
    const makes = { ...filter('makeCode')!, options: [...filter('makeCode')!.options, ...fuels] };
    fc.assert(
      fc.property(fc.subarray(values(makes.options)), (makeCode) => {
        expect(values(panelOptions(section('makeCode'), 'makeCode', makes, makeCode, labelOf))).toEqual(
          values(makes.options),
        );
      }),
    );
  });

  it('disables exactly the options without results and lists every selected value', () => {
    const option = fc.record({ value: fc.string({ minLength: 1 }), count: fc.nat(3) });
    fc.assert(
      fc.property(
        fc.uniqueArray(option, { selector: ({ value }) => value }),
        fc.array(fc.string({ minLength: 1 })),
        (testOptions, otherValues) => {
          const selectedValues = [
            ...new Set([...testOptions.slice(0, 2).map(({ value }) => value), ...otherValues]),
          ];
          const testFilter = buildFilter(
            'doorCode',
            testOptions.map(({ value, count }) => [value, value, count]),
          );
          const options = panelOptions(section('doorCode'), 'doorCode', testFilter, selectedValues, labelOf);
          for (const { count, isUnavailable } of options) expect(isUnavailable).toBe(count === 0);
          expect(selectedValues.every((value) => values(options).includes(value))).toBe(true);
        },
      ),
    );
  });

  // rows: A3-FILTER-05
  it('lists exactly Personal and Commercial as vehicle uses, with the response’s counts', () => {
    const use = section('vehicleUseType');
    const options = panelOptions(use, 'vehicleUseType', filter('vehicleUseType'), [], labelOf);
    expect(options.map(({ label, count }) => [label, count])).toEqual([
      ['Personal', 40_100],
      ['Commercial', 1400],
    ]);
  });
});
