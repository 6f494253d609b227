import { BRANDS } from '@forecourt/search/brands';
import { createLabels } from '@forecourt/search/catalog';
import { decodeQuery } from '@forecourt/search/criteria';
import { testReference } from '@forecourt/search/testing';
import { describe, it, expect } from '@jest/globals';
import { headingOf, pageTitleOf, descriptionOf, canonicalLinkOf } from './pageTexts.ts';

const { atc, oem } = BRANDS;

const labelOf = createLabels({ reference: testReference });

const EVERYTHING =
  'city=Atlanta&state=GA&sellerType=p&listingType=USED&vehicleStyleCode=TRUCKS&makeCode=FORD&modelCode=F150' +
  '&trimCode=F150|XLT&startYear=2019&endYear=2019&maxPrice=20000&fuelTypeGroup=GSL&mpgRange=30-MPG' +
  '&electricMileRange=200';

describe('headings and titles', () => {
  const heading = (query: string, brand = atc) => headingOf(decodeQuery(query), { brand, labelOf });

  // rows: B2-HERO-02
  it('builds the h1 from condition, make, model, style and place', () => {
    expect(heading('')).toBe('Cars for Sale');
    expect(heading(EVERYTHING)).toBe('Used Ford F150 Truck Cars for Sale in Atlanta, GA');
    expect(heading('makeCodeList=FORD,BMW&zip=30303')).toBe('Cars for Sale');
  });

  // rows: A6-BRAND-02
  it("uses 'near' for the manufacturer brand and 'in' for the others", () => {
    for (const brand of [atc, BRANDS.kbb])
      expect(heading('city=Atlanta&state=GA', brand)).toBe('Cars for Sale in Atlanta, GA');
    expect(heading('city=Atlanta&state=GA', oem)).toBe('Cars for sale near Atlanta, GA');
  });

  // rows: A1-CERT-02
  it('writes condition and vehicle words in lower case for the manufacturer brand', () => {
    expect(heading('listingType=USED&makeCode=FORD&vehicleStyleCode=TRUCKS', oem)).toBe(
      'Used Ford truck cars for sale',
    );
    expect(heading('listingType=CERTIFIED,USED', oem)).toBe('Used and certified cars for sale');
    expect(heading('listingType=USED')).toBe('Used Cars for Sale');
  });

  it('puts year, trim and brand into the title and the count into the description', () => {
    const context = { brand: atc, labelOf };
    const criteria = decodeQuery(EVERYTHING);
    expect(pageTitleOf(criteria, context)).toBe(
      'Used 2019 Ford F150 XLT Truck Cars for Sale in Atlanta, GA - Under $20,000, Gasoline, 30+ MPG, ' +
        `Private Seller, 200+ Mile Range | ${atc.name}`,
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 1234 })).toContain(
      'Browse 1,234 Used 2019 Ford F150 XLT Truck cars for sale in Atlanta, GA.',
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 0 })).toContain('Browse Used 2019');
  });

  it('omits visitor location, sort order and arrival parameters from the canonical link', () => {
    const query =
      'makeCode=FORD&zip=30303&searchRadius=50&sortBy=yearASC&firstRecord=30&psid=1&utm_source=x&refUrl=/a' +
      '&expiredListing=1&numRecords=10';
    const secondPage = decodeQuery('makeCode=FORD&firstRecord=30&sortBy=yearASC');
    expect(canonicalLinkOf(secondPage, testReference)).toBe('/cars-for-sale/all/ford?firstRecord=30');
    expect(pageTitleOf(secondPage, { brand: atc, labelOf })).toBe(
      `Ford Cars for Sale - Page 2 | ${atc.name}`,
    );
    expect(canonicalLinkOf(decodeQuery(query), testReference)).toBe('/cars-for-sale/all/ford');
    expect(canonicalLinkOf(decodeQuery(''), testReference)).toBe('/cars-for-sale/all-cars');
  });
});
