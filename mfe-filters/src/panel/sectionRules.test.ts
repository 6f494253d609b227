import { describe, expect, it } from '@jest/globals';
import { createLabels, FILTERS, type FilterName } from '@forecourt/search/catalog';
import type { FilterValues } from '@forecourt/search/criteria';
import { buildFilter, buildFilters } from '../testing/builders.ts';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { PANEL_SECTIONS } from '../sections/panelSections.ts';
import { hasValue, isDisabled, isHidden, selectedSummary } from './sectionRules.ts';

const panel = (name: FilterName) => PANEL_SECTIONS.find((entry) => entry.name === name)!;
const withFuels = (...fuelTypeGroup: string[]) => buildCriteria({ filters: { fuelTypeGroup } });
const mpg = buildFilters().find(({ name }) => name === 'mpgRange');

describe('panel sections', () => {
  it('contains every catalog parameter in exactly one panel section, but for the area, which the map sets', () => {
    const params = [...PANEL_SECTIONS.flatMap((entry) => entry.params), 'area'];
    expect([...params].sort()).toEqual([...new Set(FILTERS.flatMap((entry) => entry.params))].sort());
  });

  // rows: B5-FILTER-01
  it('disables fuel economy when all its options are disabled', () => {
    const empty = buildFilter('mpgRange', [
      ['20-MPG', '20+ MPG', 0],
      ['30-MPG', '30+ MPG', 0],
    ]);
    expect(isDisabled(panel('mpgRange'), empty, buildCriteria())).toBe(true);
    expect(isHidden(panel('mpgRange'), buildFilters([empty]), buildCriteria())).toBe(false);
    expect(isDisabled(panel('mpgRange'), mpg, buildCriteria())).toBe(false);
    const marked = mpg!.options.map((option) => ({ ...option, disabled: true }));
    expect(isDisabled(panel('mpgRange'), { ...mpg!, options: marked }, buildCriteria())).toBe(true);
    const partly = [marked[0]!, mpg!.options[1]!];
    expect(isDisabled(panel('mpgRange'), { ...mpg!, options: partly }, buildCriteria())).toBe(false);
  });

  // rows: B5-FILTER-02
  it('disables fuel economy when only electric is selected', () => {
    expect(isDisabled(panel('mpgRange'), mpg, withFuels('ELE'))).toBe(true);
    expect(isDisabled(panel('mpgRange'), mpg, withFuels('ELE', 'GSL'))).toBe(false);
    expect(isDisabled(panel('mpgRange'), mpg, withFuels('GSL'))).toBe(false);
  });

  // rows: B5-FILTER-03
  it('hides the electric range when all options except Unspecified are disabled', () => {
    const range = (count: number) =>
      buildFilter('electricMileRange', [
        ['200', '200+ Miles', count],
        ['UNSPECIFIED', 'Unspecified', 12],
      ]);
    const isElectricRangeHidden = (count: number) =>
      isHidden(panel('electricMileRange'), buildFilters([range(count)]), buildCriteria());
    expect(isElectricRangeHidden(0)).toBe(true);
    expect(isElectricRangeHidden(3)).toBe(false);
  });

  it('hides sections without options unless they have a value', () => {
    const criteria = buildCriteria({ filters: { seriesCode: ['SUPERDUTY'] } });
    expect(isHidden(panel('seriesCode'), buildFilters(), buildCriteria())).toBe(true);
    expect(isHidden(panel('seriesCode'), [], buildCriteria())).toBe(false);
    expect(isHidden(panel('seriesCode'), buildFilters(), criteria)).toBe(false);
  });

  // rows: A3-FILTER-19
  it('offers packages for one make, model and trim, or while some are selected', () => {
    const one = { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XLT'] };
    const isPackagesHidden = (selectedFilters: FilterValues) =>
      isHidden(panel('packages'), buildFilters(), buildCriteria({ filters: selectedFilters }));
    expect(isPackagesHidden(one)).toBe(false);
    expect(isPackagesHidden({ ...one, trimCode: ['F150|XL', 'F150|XLT'] })).toBe(true);
    expect(isPackagesHidden({ makeCode: ['FORD'], modelCode: ['F150'] })).toBe(true);
    expect(isPackagesHidden({ makeCode: ['FORD'], packages: ['TOW'] })).toBe(false);
  });

  it('does not count extended delivery off as a selected value', () => {
    const withoutDelivery = buildCriteria({ filters: { marketExtension: ['off'] } });
    const included = buildCriteria({ filters: { marketExtension: ['include'] } });
    expect(hasValue(withoutDelivery, panel('location'))).toBe(false);
    expect(hasValue(included, panel('location'))).toBe(true);
  });

  it('summarizes the selected values', () => {
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
