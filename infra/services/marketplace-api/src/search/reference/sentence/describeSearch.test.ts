import { decodeQuery } from '@forecourt/search/decode';
import { createLabels } from '@forecourt/search/catalog';
import { describe, expect, it } from '@jest/globals';
import { optionLabel } from '../../../domain/labels.ts';
import { describeSearch } from './describeSearch.ts';

const NAMES: Readonly<Record<string, string>> = {
  FORD: 'Ford',
  F150: 'F-150',
  HONDA: 'Honda',
  CIVIC: 'Civic',
  LEXUS: 'Lexus',
  SILVERADO: 'Silverado',
  CHEVROLET: 'Chevrolet',
};
const MAKES: Readonly<Record<string, string>> = { F150: 'Ford', CIVIC: 'Honda' };

const describeQuery = (query: string): string => {
  const { filters, sortBy } = decodeQuery(query);
  const known = createLabels({});
  return describeSearch({
    filters,
    sortBy,
    labelOf: (param, value) => {
      const label = NAMES[value] ?? optionLabel(param, value);
      return label === value ? known(param, value) : label;
    },
    makeOf: (model) => MAKES[model],
    place: filters.zip && { city: 'Atlanta', state: 'GA' },
  });
};

describe('a search as a sentence', () => {
  it.each([
    [
      'vehicleStyleCode=SUVCROSS&featureCode=THIRDROW&maxPrice=30000&zip=30301&searchRadius=50',
      'SUVs with a third row under $30,000 near Atlanta',
    ],
    ['makeCode=FORD&modelCode=F150&extColorSimple=RED', 'Red Ford F-150s'],
    ['makeCode=FORD&modelCode=F150&trimCode=F150|XLT&listingType=USED', 'Used Ford F-150 XLTs'],
    ['makeCodeList=FORD,HONDA&modelCodeList=F150,CIVIC', 'Ford F-150s and Honda Civics'],
    ['makeCode=LEXUS', 'Lexus cars'],
    ['makeCodeList=FORD,LEXUS&vehicleStyleCode=SEDAN', 'Ford or Lexus sedans'],
    [
      'makeCode=CHEVROLET&seriesCode=SILVERADO&bodyStyleSubtypeCode=CREWCAB&vehicleStyleCode=TRUCKS',
      'Chevrolet Silverado crew cab trucks',
    ],
    ['vehicleStyleCode=TRUCKS,VANMV', 'Trucks and vans'],
    ['vehicleStyleCode=VANMV&vanSubtypeCode=MINIVAN', 'Minivans'],
    ['startYear=2018&makeCode=HONDA&modelCode=CIVIC', 'Honda Civics from 2018 or newer'],
    ['startYear=2018&endYear=2018&makeCode=HONDA', '2018 Hondas'],
    ['fuelTypeGroup=PIH&driveGroup=AWD4WD', 'Plug-in hybrid all-wheel-drive cars'],
    [
      'mileage=60000&vehicleHistoryType=NO_ACCIDENTS,ONE_OWNER',
      'Cars with less than 60,000 miles, no accidents and one owner',
    ],
    ['minPrice=20000&maxPrice=25000', 'Cars from $20,000 to $25,000'],
    ['monthlyPayment=300', 'Cars for $300/mo or less'],
    ['mpgRange=30-MPG&sortBy=derivedpriceASC', 'Cars with 30 MPG or more, lowest price first'],
    ['doorCode=4&transmissionCode=MAN&engineCode=6CLDR', 'Manual 4-door 6-cylinder cars'],
    ['vehicleStyleCode=SUVCROSS&seatCount=7,8', 'SUVs with 7 seats or more'],
    ['sellerType=p&state=NC', 'Cars from private sellers in North Carolina'],
    [
      'zip=30301&searchRadius=0&dealType=goodprice,greatprice',
      'Cars at good or great prices anywhere in the country',
    ],
    ['intColorSimple=BLACK&electricMileRange=300', 'Cars with black interior and 300 miles of range or more'],
  ])('says %s', (query, sentence) => {
    expect(describeQuery(query)).toBe(sentence);
  });
});
