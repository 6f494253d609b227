import { describe, expect, it } from '@jest/globals';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import { FILTERS, filterSection, sectionOfParam } from './filterSections.ts';
import { DEFAULT_SORT, RELEVANCE_SORT, isKnownName, queryNameOf, resolveSort } from './names.ts';
import { CATEGORY_VALUES, DEFAULT_SEARCH_RADIUS, FILTER_PARAMS, SEARCH_RADIUS_OPTIONS } from './criteria.ts';
import { CATEGORIES, categoryFilter } from './filterValues.ts';

describe('filter catalog', () => {
  it('has sections with unique names, and every parameter except the keyword in exactly one', () => {
    expect(new Set(FILTERS.map(({ name }) => name)).size).toBe(FILTERS.length);
    for (const param of FILTER_PARAMS) expect(Boolean(sectionOfParam(param))).toBe(param !== 'keyword');
  });

  // rows: A3-FILTER-01, A3-FILTER-02, A3-FILTER-03, A3-FILTER-04, A3-FILTER-05, A3-FILTER-06, A3-FILTER-07
  // rows: A3-FILTER-08, A3-FILTER-09, A3-FILTER-10, A3-FILTER-11, A3-FILTER-12, A3-FILTER-13, A3-FILTER-14
  // rows: A3-FILTER-15, A3-FILTER-16, A3-FILTER-17, A3-FILTER-18, A3-FILTER-19, A3-FILTER-20, A3-FILTER-21
  // rows: A3-FILTER-22, A3-FILTER-23, A3-FILTER-24, A3-FILTER-25, A3-FILTER-26, A3-FILTER-28
  // rows: A3-FILTER-29, A3-FILTER-30, A3-FILTER-31, A3-FILTER-32, A3-FILTER-33, A3-FILTER-34, A3-FILTER-35
  // rows: A3-FILTER-36, A3-FILTER-37
  it('gives each section of the specs its label', () => {
    expect(Object.fromEntries(FILTERS.map(({ name, label }) => [name, label]))).toMatchObject({
      location: 'Location',
      zip: 'ZIP Code',
      searchRadius: 'Distance',
      marketExtension: 'Include Extended Delivery',
      vehicleUseType: 'Vehicle Use',
      vehicleExchange: 'Money Back Guarantee',
      yearRange: 'Year',
      listingType: 'Condition',
      driveGroup: 'Drive Type',
      priceRange: 'Price',
      mileage: 'Mileage',
      vehicleStyleCode: 'Body Style',
      seatCount: 'Seats',
      fuelTypeGroup: 'Fuel Type',
      mpgRange: 'Fuel Economy',
      makeCode: 'Make',
      modelCode: 'Model',
      seriesCode: 'Series',
      trimCode: 'Trim',
      packages: 'Packages',
      extColorSimple: 'Exterior Color',
      intColorSimple: 'Interior Color',
      transmissionCode: 'Transmission',
      engineDisplacement: 'Engine Displacement',
      vehicleHistoryType: 'Vehicle History',
      homeServices: 'Dealer Home Services',
      featureCode: 'Features',
      engineCode: 'Cylinders',
      dealType: 'Best Deals',
      doorCode: 'Doors',
      sellerType: 'Seller Type',
      electricMileRange: 'Electric Mile Range',
      truckBedLength: 'Truck Bed Length',
      bodyStyleSubtypeCode: 'Truck Cab Size',
      suvSubtypeCode: 'SUV Type',
      vanSubtypeCode: 'Van Type',
      sedanSubtypeCode: 'Sedan Type',
    });
  });

  // rows: A3-FILTER-05, A3-FILTER-27
  it('gives vehicle use its two options, and features alone their groups', () => {
    expect(filterSection('vehicleUseType')?.options).toEqual([
      { label: 'Personal', value: 'PERSONAL' },
      { label: 'Commercial', value: 'COMMERCIAL' },
    ]);
    expect(FILTERS.filter(({ grouped }) => grouped).map(({ name }) => name)).toEqual(['featureCode']);
  });

  it('names every other section like its one parameter', () => {
    const single = FILTERS.filter(({ params }) => params.length === 1);
    expect(single.length).toBeGreaterThan(0);
    for (const { name, params } of single) expect(params).toEqual([name]);
  });

  it('maps the composite sections to their parameters', () => {
    expect(filterSection('location')?.params).toEqual(['zip', 'searchRadius', 'state', 'city']);
    expect(filterSection('yearRange')?.params).toEqual(['startYear', 'endYear']);
    expect(filterSection('priceRange')?.params).toEqual(['minPrice', 'maxPrice']);
  });

  // rows: B3-FNAME-01, B3-FNAME-02, B3-FNAME-03, B3-FNAME-04
  it('contains every filter of the second spec', () => {
    const names =
      'startYear endYear makeCode modelCode trimCode seriesCode packages listingType driveGroup minPrice maxPrice ' +
      'mileage vehicleStyleCode fuelTypeGroup mpgRange extColorSimple intColorSimple engineCode ' +
      'engineDisplacement doorCode transmissionCode featureCode sellerType dealType vehicleHistoryType ' +
      'vehicleUseType vehicleExchange homeServices electricMileRange bodyStyleSubtypeCode sedanSubtypeCode ' +
      'suvSubtypeCode vanSubtypeCode truckBedLength zip searchRadius marketExtension';
    for (const name of names.split(' ')) expect(FILTER_PARAMS).toContain(name);
  });

  // rows: B3-FNAME-05
  it('recognizes experience and the list names as parameters', () => {
    for (const name of ['experience', 'makeCodeList', 'modelCodeList']) expect(isKnownName(name)).toBe(true);
    expect(isKnownName('utm_source')).toBe(false);
  });

  it('writes several makes, models or trims as a list, and other filters under their name', () => {
    for (const param of ['makeCode', 'modelCode', 'trimCode'] as const)
      expect([queryNameOf(param, 1), queryNameOf(param, 2)]).toEqual([param, `${param}List`]);
    expect(queryNameOf('listingType', 2)).toBe('listingType');
  });
});

describe('code tables', () => {
  // rows: A3-CODES-01, A3-CODES-02, A3-CODES-03, A3-CODES-04, A3-CODES-05, A3-CODES-06
  it('defines the fuel groups', () => {
    expect(FUEL_GROUPS).toMatchObject({
      ELE: 'Electric',
      GSL: 'Gasoline',
      DSL: 'Diesel',
      HYB: 'Hybrid',
      ALT: 'Alternative',
      HYD: 'Hydrogen',
    });
  });

  // rows: A3-CODES-07
  it('defines the nine body styles', () => {
    const codes = ['TRUCKS', 'SUVCROSS', 'VANMV', 'SEDAN', 'HATCH', 'COUPE', 'CONVERT', 'VANS', 'SUV'];
    expect(Object.keys(BODY_STYLES)).toEqual(expect.arrayContaining(codes));
  });
});

describe('sort order', () => {
  // rows: A3-SORT-11, B9-GRID-15
  it("defaults to the highest price, and to 'relevance' on the server", () => {
    expect(DEFAULT_SORT).toBe('derivedpriceDESC');
    expect(RELEVANCE_SORT).toBe('relevance');
    expect(resolveSort('yearASC', { serverLoaded: true })).toBe('yearASC');
    expect(resolveSort('bogus', { serverLoaded: true })).toBe('relevance');
    expect(resolveSort(undefined, { serverLoaded: false })).toBe('derivedpriceDESC');
  });
});
describe('distances', () => {
  it('offers the one that a ZIP without a radius gets', () => {
    expect(SEARCH_RADIUS_OPTIONS).toContain(DEFAULT_SEARCH_RADIUS);
  });
});

describe('categories', () => {
  // rows: B2-TOOL-01, B2-TOOL-02, B2-TOOL-03, B2-TOOL-04, B2-TOOL-05
  it('lists the categories in display order', () => {
    expect(CATEGORIES.map(({ label }) => label)).toEqual([
      'All Results',
      'Best Deals',
      'Buy Online',
      'For Sale By Owner',
      'Certified Used',
    ]);
  });

  // rows: B4-CAT-02
  it('filters by each category that a URL may name, except by All Results', () => {
    expect(CATEGORY_VALUES.map((value) => categoryFilter(value))).toEqual([
      { param: 'dealType', values: ['goodprice', 'greatprice'] },
      { param: 'homeServices', values: ['BUY_ONLINE'] },
      { param: 'sellerType', values: ['p'] },
      { param: 'listingType', values: ['CERTIFIED'] },
    ]);
    expect(categoryFilter(undefined)).toBeUndefined();
  });

  // rows: B3-CATEGORY-01
  it('defines label, icon, filterName and value of each category', () => {
    expect(CATEGORIES.map(({ label, icon, filterName, value }) => [label, icon, filterName, value])).toEqual([
      ['All Results', 'grid', undefined, undefined],
      ['Best Deals', 'tag', 'dealType', 'best-deals'],
      ['Buy Online', 'cart', 'homeServices', 'buy-online'],
      ['For Sale By Owner', 'person', 'sellerType', 'by-owner'],
      ['Certified Used', 'badge', 'listingType', 'certified'],
    ]);
  });
});
