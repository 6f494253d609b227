import { describe, expect, it } from '@jest/globals';
import { createLabels, FILTERS, type FilterName } from '@forecourt/shared-contracts/catalog';
import { type FilterValues } from '@forecourt/shared-contracts/criteria';
import { buildFilter, buildFilters } from '../testing/builders.ts';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { PANEL_SECTIONS } from '../sections/panelSections.ts';
import { holdsValue, isDisabled, isHidden, selectedSummary } from './sectionRules.ts';

const panel = (name: FilterName) => PANEL_SECTIONS.find((entry) => entry.name === name)!;
const withFuels = (...fuelTypeGroup: string[]) => buildCriteria({ filters: { fuelTypeGroup } });
const mpg = buildFilters().find(({ name }) => name === 'mpgRange');

describe('sections of the panel', () => {
  it('hold every parameter of the catalogue exactly once', () => {
    const params = PANEL_SECTIONS.flatMap((entry) => entry.params);
    expect([...params].sort()).toEqual([...new Set(FILTERS.flatMap((entry) => entry.params))].sort());
  });

  // rows: B5-FILTER-01
  it('disable fuel economy when all its options are disabled', () => {
    const empty = buildFilter('mpgRange', [
      ['20-MPG', '20+ MPG', 0],
      ['30-MPG', '30+ MPG', 0],
    ]);
    expect(isDisabled(panel('mpgRange'), empty, buildCriteria())).toBe(true);
    expect(isDisabled(panel('mpgRange'), mpg, buildCriteria())).toBe(false);
  });

  // rows: B5-FILTER-02
  it('disable fuel economy when only electric is chosen', () => {
    expect(isDisabled(panel('mpgRange'), mpg, withFuels('ELE'))).toBe(true);
    expect(isDisabled(panel('mpgRange'), mpg, withFuels('ELE', 'GSL'))).toBe(false);
  });

  // rows: B5-FILTER-03
  it('hide the electric range when all options except Unspecified are disabled', () => {
    const range = (count: number) =>
      buildFilter('electricMileRange', [
        ['200', '200+ Miles', count],
        ['UNSPECIFIED', 'Unspecified', 12],
      ]);
    const hidden = (count: number) =>
      isHidden(panel('electricMileRange'), buildFilters([range(count)]), buildCriteria());
    expect(hidden(0)).toBe(true);
    expect(hidden(3)).toBe(false);
  });

  it('leave out what the answer has no options for, but never what holds a value', () => {
    const chosen = buildCriteria({ filters: { seriesCode: ['SUPERDUTY'] } });
    expect(isHidden(panel('seriesCode'), buildFilters(), buildCriteria())).toBe(true);
    expect(isHidden(panel('seriesCode'), [], buildCriteria())).toBe(false);
    expect(isHidden(panel('seriesCode'), buildFilters(), chosen)).toBe(false);
  });

  it('offer packages for one make, model and trim, or while some are chosen', () => {
    const one = { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XLT'] };
    const hidden = (chosen: FilterValues) =>
      isHidden(panel('packages'), buildFilters(), buildCriteria({ filters: chosen }));
    expect(hidden(one)).toBe(false);
    expect(hidden({ ...one, trimCode: ['F150|XL', 'F150|XLT'] })).toBe(true);
    expect(hidden({ makeCode: ['FORD'], modelCode: ['F150'] })).toBe(true);
    expect(hidden({ makeCode: ['FORD'], packages: ['TOW'] })).toBe(false);
  });

  it('take a refused extended delivery for no selected value', () => {
    const refused = buildCriteria({ filters: { marketExtension: ['off'] } });
    const included = buildCriteria({ filters: { marketExtension: ['include'] } });
    expect(holdsValue(refused, panel('location'))).toBe(false);
    expect(holdsValue(included, panel('location'))).toBe(true);
  });

  it('name the selected values in their header', () => {
    const labelOf = createLabels({ filters: buildFilters() });
    const criteria = buildCriteria({
      filters: {
        zip: ['60601'],
        searchRadius: ['0'],
        makeCode: ['FORD', 'HONDA'],
        minPrice: ['10000'],
        startYear: ['2020'],
        endYear: ['2020'],
        vehicleExchange: ['true'],
      },
    });
    const summary = (name: FilterName) => selectedSummary(panel(name), criteria, labelOf);
    expect(summary('location')).toBe('60601 · Any');
    expect(summary('makeCode')).toBe('Ford, Honda');
    expect(summary('priceRange')).toBe('Over $10,000');
    expect(summary('yearRange')).toBe('2020');
    expect(summary('vehicleExchange')).toBe('Yes');
    expect(summary('doorCode')).toBeUndefined();
  });
});
