import { BRANDS } from '../brands/brands.ts';
import { describe, expect, it } from '@jest/globals';
import { chipsOf, filterCount } from './chips.ts';
import { decodeQuery } from '../criteria/decode.ts';
import { testReference } from '../testing/builders.ts';
import { conditionSummary, createLabels } from './labels.ts';

const { atc, oem } = BRANDS;
const labelOf = createLabels({ reference: testReference });
const EVERYTHING =
  'city=Atlanta&state=GA&sellerType=p&listingType=USED&vehicleStyleCode=TRUCKS&makeCode=FORD&modelCode=F150' +
  '&trimCode=F150|XLT&startYear=2019&endYear=2019&maxPrice=20000&fuelTypeGroup=GSL&mpgRange=30-MPG' +
  '&electricMileRange=200';
describe('chips', () => {
  const labels = (query: string) => chipsOf(decodeQuery(query), { labelOf }).map((chip) => chip.label);

  it('creates one chip per value and one per range, in panel order, with the price text of the breadcrumbs', () => {
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

  it("prefers the API's labels to the fixed ones, and falls back to the code", () => {
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

  it('gives every chip a unique key', () => {
    const chips = chipsOf(decodeQuery(`${EVERYTHING}&keyword=red&experience=commercial`), { labelOf });
    expect(new Set(chips.map(({ key }) => key)).size).toBe(chips.length);
  });

  // rows: B4-ALPHA-11
  it("names the sponsor's inventory in a chip", () => {
    const ofOwner = decodeQuery('isSponsorship=true&showcaseOwnerId=7');
    const [chip] = chipsOf(ofOwner, { labelOf, ownerName: 'Hill Motors' });
    expect(chip?.label).toBe('Viewing Hill Motors inventory');
    expect(chipsOf(decodeQuery('showcaseOwnerId=7'), { labelOf, ownerName: 'Hill Motors' })).toEqual([]);
  });

  it('names the use of vehicles', () => {
    expect(labels('vehicleUseType=PERSONAL')).toEqual(['Personal']);
    expect(labels('vehicleUseType=COMMERCIAL')).toEqual(['Commercial']);
  });

  it('shows extended delivery only when it is included', () => {
    expect(labels('marketExtension=include')).toEqual(['Include Extended Delivery']);
    expect(labels('marketExtension=off')).toEqual([]);
  });

  // rows: B2-TOOL-13
  it('counts chips without the location', () => {
    expect(filterCount(chipsOf(decodeQuery('zip=30303&makeCode=FORD&mileage=10'), { labelOf }))).toBe(2);
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
  it('writes condition words in lower case for brands with lower-case copy', () => {
    expect(conditionSummary(['CERTIFIED', 'USED'], oem.copyCase)).toBe('used and certified');
    expect(conditionSummary(['CERTIFIED', 'USED'], atc.copyCase)).toBe('Used and Certified');
  });
});
