import { decodeQuery, normalizeUrl } from '@forecourt/search/decode';
import { BRANDS } from '@forecourt/search/brands';
import { createLabels } from '@forecourt/search/catalog';
import { testReference } from '@forecourt/search/testing';
import { breadcrumbsOf, CRUMB_KEYS, crawlPathsOf } from './breadcrumbs.ts';
import { describe, it, expect } from '@jest/globals';
import { canonicalLinkOf } from './universal/pageTexts.ts';

const { atc, oem } = BRANDS;

const labelOf = createLabels({ reference: testReference });

const trail = (query: string, brand = atc) =>
  breadcrumbsOf(decodeQuery(query), { brand, reference: testReference, labelOf });

const crumb = (query: string, key: string) => trail(query).find((entry) => entry.key === key);

const label = (query: string, key: string) => crumb(query, key)?.label;

const EVERYTHING =
  'city=Atlanta&state=GA&sellerType=p&listingType=USED&vehicleStyleCode=TRUCKS&makeCode=FORD&modelCode=F150' +
  '&trimCode=F150|XLT&startYear=2019&endYear=2019&maxPrice=20000&fuelTypeGroup=GSL&mpgRange=30-MPG' +
  '&electricMileRange=200';

describe('breadcrumbs', () => {
  // rows: A2-CRUMB-01, B3-CRUMB-01
  it('have their order, with key, label and href', () => {
    const crumbs = trail(EVERYTHING);
    expect(crumbs.map(({ key }) => key)).toEqual([...CRUMB_KEYS]);
    for (const entry of crumbs)
      expect(entry).toEqual({ key: expect.any(String), label: expect.any(String), href: expect.any(String) });
    expect(crumbs.map((entry) => entry.label)).toEqual([
      'Home',
      'Cars for Sale',
      'Atlanta, GA',
      'By Owner',
      'Used Cars for Sale',
      'Truck',
      'Ford',
      'F150',
      'XLT',
      '2019',
      'Under $20,000',
      'Gasoline',
      '30+',
      '200 Miles',
    ]);
  });

  // rows: A2-CRUMB-02
  it('link to the search without the parameters of later crumbs', () => {
    const query =
      'listingType=USED&makeCode=FORD&modelCode=F150&trimCode=F150|XLT&startYear=2019&endYear=2019';
    expect(crumb(`${query}&firstRecord=30`, 'make')?.href).toBe('/cars-for-sale/used/ford');
    expect(crumb(query, 'trim')?.href).toBe('/cars-for-sale/used/ford/f150/xlt');
    expect(crumb(query, 'year')?.href).toBe('/cars-for-sale/used/2019/ford/f150/xlt');
    const page = crumb(`${query}&extColorSimple=RED&isSponsorship=true&sortBy=yearASC`, 'page');
    expect(page?.href).toBe('/cars-for-sale/all-cars');
  });

  it('drop later parameters that have several values and thus no crumb', () => {
    expect(crumb('makeCode=FORD&modelCodeList=F150,ESCAPE', 'make')?.href).toBe('/cars-for-sale/all/ford');
    expect(crumb('makeCode=FORD&modelCodeList=F150,ESCAPE', 'model')).toBeUndefined();
  });

  // rows: A2-CRUMB-03, A2-CRUMB-04
  it("start with Home, which links to the results for the manufacturer's brand", () => {
    expect(trail('')[0]).toEqual({ key: 'home', label: 'Home', href: '/' });
    expect(trail('', oem)[0]?.href).toBe('/cars-for-sale');
  });

  // rows: A2-CRUMB-05
  it('show the page and the condition', () => {
    expect(label('', 'page')).toBe('Cars for Sale');
    expect(label('listingType=USED', 'condition')).toBe('Used Cars for Sale');
    expect(label('listingType=NEW', 'condition')).toBe('New Cars for Sale');
    expect(label('listingType=CERTIFIED', 'condition')).toBe('Certified Cars for Sale');
    expect(label('listingType=USED,NEW', 'condition')).toBeUndefined();
  });

  // rows: A2-CRUMB-06
  it('show the page of commercial vehicles', () => {
    expect(label('experience=commercial', 'page')).toBe('Commercial Vehicles for Sale');
    expect(crumb('experience=commercial&makeCode=FORD', 'page')?.href).toBe(
      '/cars-for-sale/all-cars?experience=commercial',
    );
  });

  // rows: A2-CRUMB-07
  it('show By Owner or By Dealer', () => {
    expect(label('sellerType=p', 'owner')).toBe('By Owner');
    expect(label('sellerType=d', 'owner')).toBe('By Dealer');
  });

  // rows: A2-CRUMB-08, A2-CRUMB-09
  it('show fuel economy with a plus and the electric range in miles', () => {
    expect(label('mpgRange=30-MPG', 'mpg')).toBe('30+');
    expect(label('electricMileRange=200', 'electricRange')).toBe('200 Miles');
  });

  // rows: A2-CRUMB-10
  it('show equal years as one', () => {
    expect(label('startYear=2019&endYear=2019', 'year')).toBe('2019');
    expect(label('startYear=2018&endYear=2022', 'year')).toBe('2018 - 2022');
    expect(label('startYear=2018', 'year')).toBe('2018 or Newer');
    expect(label('endYear=2022', 'year')).toBe('2022 or Older');
  });

  // rows: A2-CRUMB-11, A2-CRUMB-12, A2-CRUMB-13
  it('show price bounds as text', () => {
    expect(label('minPrice=10000', 'price')).toBe('Over $10,000');
    expect(label('maxPrice=20000', 'price')).toBe('Under $20,000');
    expect(label('minPrice=10000&maxPrice=1200000', 'price')).toBe('Between $10,000 - $1,200,000');
  });

  // rows: A2-CRUMB-14, A2-CRUMB-15
  it('prefix commercial body styles and shorten the van', () => {
    expect(label('experience=commercial&vehicleStyleCode=TRUCKS', 'style')).toBe('Commercial Truck');
    expect(label('experience=commercial&vehicleStyleCode=VANMV', 'style')).toBe('Commercial Van');
    expect(label('vehicleStyleCode=VANMV', 'style')).toBe('Van / Minivan');
    expect(label('vehicleStyleCode=VANS', 'style')).toBe('Commercial Van');
    expect(label('vehicleStyleCode=SUV', 'style')).toBe('Commercial SUV');
  });

  // rows: A2-CRUMB-16
  it('count third-party certified as used', () => {
    expect(label('listingType=3P_CERT', 'condition')).toBe('Used Cars for Sale');
  });

  it('show the city of a ZIP if it is known', () => {
    const context = {
      brand: atc,
      reference: testReference,
      labelOf,
      place: { city: 'Atlanta', state: 'GA' },
    };
    expect(breadcrumbsOf(decodeQuery('zip=30303'), context)[2]?.label).toBe('Atlanta, GA');
    expect(label('zip=30303', 'location')).toBe('30303');
  });
});

const option = (value: string, label: string, count?: number) => ({
  value,
  label,
  count,
  selected: false,
  disabled: false,
});

const filters = [
  {
    name: 'makeCode',
    options: [option('BMW', 'BMW', 5), option('FORD', 'Ford', 9), option('ODD', 'Odd', 0)],
  },
  { name: 'modelCode', options: [option('ESCAPE', 'Escape', 2), option('F150', 'F150', 7)] },
  {
    name: 'yearRange',
    options: [option('2021', '2021', 3), option('2019', '2019', 4), option('2001', '2001')],
  },
  { name: 'trimCode', options: [option('F150|XL', 'XL', 1), option('F150|XLT', 'XLT', 6)] },
];

const paths = (query: string) =>
  crawlPathsOf(decodeQuery(query), {
    filters,
    reference: testReference,
    labelOf: createLabels({ filters, reference: testReference }),
  });

const links = (query: string) => paths(query).map(({ label, href }) => [label, href]);

describe('links to narrower searches', () => {
  it('list makes with vehicles, most frequent first', () => {
    expect(links('zip=60601&maxPrice=20000&utm_source=x')).toEqual([
      ['Ford', '/cars-for-sale/all/ford'],
      ['BMW', '/cars-for-sale/all/bmw'],
    ]);
  });

  it('list the models of one make in its condition', () => {
    expect(links('makeCode=FORD&listingType=USED&sortBy=yearASC&firstRecord=30')).toEqual([
      ['Ford F150', '/cars-for-sale/used/ford/f150'],
      ['Ford Escape', '/cars-for-sale/used/ford/escape'],
    ]);
  });

  it('list the years and trims of one model', () => {
    expect(links('makeCode=FORD&modelCode=F150&extColorSimple=RED')).toEqual([
      ['2019 Ford F150', '/cars-for-sale/all/2019/ford/f150'],
      ['2021 Ford F150', '/cars-for-sale/all/2021/ford/f150'],
      ['Ford F150 XLT', '/cars-for-sale/all/ford/f150/xlt'],
      ['Ford F150 XL', '/cars-for-sale/all/ford/f150/xl'],
    ]);
  });

  it('are empty for several makes or models, or a model alone', () => {
    expect(paths('makeCodeList=FORD,BMW')).toEqual([]);
    expect(paths('makeCode=FORD&modelCodeList=F150,ESCAPE')).toEqual([]);
    expect(paths('modelCode=F150')).toEqual([]);
  });

  it('lead without a redirect to canonical pages', () => {
    for (const query of ['', 'makeCode=FORD', 'makeCode=FORD&modelCode=F150&listingType=NEW'])
      for (const { href } of paths(query)) {
        const result = normalizeUrl(href, testReference);
        expect(result).toMatchObject({ kind: 'search', needsRedirect: false });
        if (result.kind === 'search') expect(canonicalLinkOf(result.criteria, testReference)).toBe(href);
      }
  });
});
