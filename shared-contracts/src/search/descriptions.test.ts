import { describe, expect, it } from '@jest/globals';
import { BRANDS } from '../brands/brands.ts';
import { CRUMB_KEYS, breadcrumbsOf } from './breadcrumbs.ts';
import { chipsOf, filterCount } from './chips.ts';
import { decodeQuery } from './codec/decode.ts';
import { testReference } from '../testing/slugReference.ts';
import { conditionSummary } from './conditions.ts';
import { createLabels } from './labels.ts';
import { canonicalLinkOf, descriptionOf, headingOf, pageTitleOf } from './titles.ts';

const labelOf = createLabels({ reference: testReference });
const { atc, oem } = BRANDS;
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
  it('stand in their order, with key, label and href', () => {
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

  it('drop later parameters that have no crumb because they hold several values', () => {
    expect(crumb('makeCode=FORD&modelCodeList=F150,ESCAPE', 'make')?.href).toBe('/cars-for-sale/all/ford');
    expect(crumb('makeCode=FORD&modelCodeList=F150,ESCAPE', 'model')).toBeUndefined();
  });

  // rows: A2-CRUMB-03, A2-CRUMB-04
  it("begin with Home, which leads the manufacturer's visitors to the results", () => {
    expect(trail('')[0]).toEqual({ key: 'home', label: 'Home', href: '/' });
    expect(trail('', oem)[0]?.href).toBe('/cars-for-sale');
  });

  // rows: A2-CRUMB-05
  it('name the page and the condition', () => {
    expect(label('', 'page')).toBe('Cars for Sale');
    expect(label('listingType=USED', 'condition')).toBe('Used Cars for Sale');
    expect(label('listingType=USED,NEW', 'condition')).toBeUndefined();
  });

  // rows: A2-CRUMB-06
  it('name the page of commercial vehicles', () => {
    expect(label('experience=commercial', 'page')).toBe('Commercial Vehicles for Sale');
    expect(crumb('experience=commercial&makeCode=FORD', 'page')?.href).toBe(
      '/cars-for-sale/all-cars?experience=commercial',
    );
  });

  // rows: A2-CRUMB-07
  it('say By Owner or By Dealer', () => {
    expect(label('sellerType=p', 'owner')).toBe('By Owner');
    expect(label('sellerType=d', 'owner')).toBe('By Dealer');
  });

  // rows: A2-CRUMB-08, A2-CRUMB-09
  it('give fuel economy with a plus and the electric range in miles', () => {
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
  it('show price bounds in words', () => {
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
  });

  // rows: A2-CRUMB-16
  it('count third-party certified as used', () => {
    expect(label('listingType=3P_CERT', 'condition')).toBe('Used Cars for Sale');
  });

  it('take the city of a ZIP when it is known', () => {
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

describe('chips', () => {
  const labels = (query: string) => chipsOf(decodeQuery(query), { labelOf }).map((chip) => chip.label);

  it('stand one a value and one a range, in panel order, with the price words of the crumbs', () => {
    expect(
      labels('maxPrice=20000&startYear=2018&makeCodeList=FORD,BMW&zip=30303&searchRadius=50&mileage=75000'),
    ).toEqual([
      'Within 50 miles of 30303',
      '2018 or Newer',
      'Under $20,000',
      'Under 75,000 Miles',
      'Ford',
      'BMW',
    ]);
  });

  it('take the labels of the API before their own, and the code without any', () => {
    const fromApi = createLabels({
      filters: [
        {
          name: 'extColorSimple',
          options: [{ label: 'Red', value: 'RED', selected: true, disabled: false }],
        },
      ],
    });
    const chips = chipsOf(decodeQuery('extColorSimple=RED,MAUVE'), { labelOf: fromApi });
    expect(chips.map((chip) => chip.label)).toEqual(['MAUVE', 'Red']);
  });

  it('have different keys', () => {
    const chips = chipsOf(decodeQuery(`${EVERYTHING}&keyword=red&experience=commercial`), { labelOf });
    expect(new Set(chips.map(({ key }) => key)).size).toBe(chips.length);
  });

  // rows: B4-ALPHA-11
  it("name the sponsor's inventory", () => {
    const chips = chipsOf(decodeQuery('isSponsorship=true'), { labelOf, ownerName: 'Hill Motors' });
    expect(chips[0]?.label).toBe('Viewing Hill Motors inventory');
  });

  it('show extended delivery only when it is included', () => {
    expect(labels('marketExtension=include')).toEqual(['Include Extended Delivery']);
    expect(labels('marketExtension=off')).toEqual([]);
  });

  // rows: B2-TOOL-13
  it('are counted without the location', () => {
    expect(filterCount(chipsOf(decodeQuery('zip=30303&makeCode=FORD&mileage=10'), { labelOf }))).toBe(2);
  });
});

describe('headings and titles', () => {
  const heading = (query: string, brand = atc) => headingOf(decodeQuery(query), { brand, labelOf });

  // rows: B2-HERO-02
  it('build the h1 of condition, make, model, style and place', () => {
    expect(heading('')).toBe('Cars for Sale');
    expect(heading(EVERYTHING)).toBe('Used Ford F150 Truck Cars for Sale in Atlanta, GA');
    expect(heading('makeCodeList=FORD,BMW&zip=30303')).toBe('Cars for Sale');
  });

  // rows: A6-BRAND-02
  it("say 'near' on the manufacturer brand and 'in' on the others", () => {
    expect(heading('city=Atlanta&state=GA', BRANDS.kbb)).toBe('Cars for Sale in Atlanta, GA');
    expect(heading('city=Atlanta&state=GA', oem)).toBe('cars for sale near Atlanta, GA');
  });

  // rows: A1-CERT-02
  it('write condition and vehicle words in lower case on the manufacturer brand', () => {
    expect(heading('listingType=USED&makeCode=FORD&vehicleStyleCode=TRUCKS', oem)).toBe(
      'used Ford truck cars for sale',
    );
    expect(heading('listingType=USED')).toBe('Used Cars for Sale');
  });

  it('put year, trim and brand into the title and the count into the description', () => {
    const context = { brand: atc, labelOf };
    const criteria = decodeQuery(EVERYTHING);
    expect(pageTitleOf(criteria, context)).toBe(
      `Used 2019 Ford F150 XLT Truck Cars for Sale in Atlanta, GA | ${atc.name}`,
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 1234 })).toContain(
      '1,234 listings of Used 2019',
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 0 })).toContain('Browse Used 2019');
  });

  it('give the canonical link without place of the visitor, sort, paging and arrival', () => {
    const query =
      'makeCode=FORD&zip=30303&searchRadius=50&sortBy=yearASC&firstRecord=30&psid=1&utm_source=x&refUrl=/a' +
      '&expiredListing=1&numRecords=10';
    expect(canonicalLinkOf(decodeQuery(query), testReference)).toBe('/cars-for-sale/all/ford');
    expect(canonicalLinkOf(decodeQuery(''), testReference)).toBe('/cars-for-sale/all-cars');
  });
});

describe('conditionSummary', () => {
  // rows: A9-LIMIT-10
  it('names up to three conditions and none of four', () => {
    expect(conditionSummary([])).toBe('');
    expect(conditionSummary(['USED', 'NEW'])).toBe('New and Used');
    expect(conditionSummary(['CERTIFIED', 'USED', 'NEW', 'X'])).toBe('New, Used and Certified');
    expect(conditionSummary(['CERTIFIED', 'USED', 'NEW', '3P_CERT'])).toBe('');
  });

  // rows: A1-CERT-02
  it('is lower-case where the copy of the brand is', () => {
    expect(conditionSummary(['CERTIFIED', 'USED'], oem.copyCase)).toBe('used and certified');
    expect(conditionSummary(['CERTIFIED', 'USED'], atc.copyCase)).toBe('Used and Certified');
  });
});
