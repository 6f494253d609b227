import { type Chip, chipsOf, createLabels } from '@forecourt/search/catalog';
import type { SearchCriteria } from '@forecourt/search/criteria';
import type { Filter } from '@forecourt/upstream/entities';

type Choice = readonly [value: string, label: string, count?: number, group?: string];

const option = ([value, label, count, group]: Choice): Filter['options'][number] => ({
  value,
  label,
  selected: false,
  disabled: count === 0,
  ...(count !== undefined && { count }),
  ...(group !== undefined && { group }),
});

/** A filter of the API's response. */
export const buildFilter = (
  name: string,
  choices: readonly Choice[],
  extra: Partial<Filter> = {},
): Filter => ({
  name,
  label: name,
  collapsed: true,
  value: '',
  options: choices.map(option),
  ...extra,
});

const numbered = (name: string, count: number, codePrefix: string): Filter =>
  buildFilter(
    name,
    Array.from({ length: count }, (_, index) => [
      `${codePrefix.toUpperCase()}${index}`,
      `${codePrefix} ${index}`,
      900 - index * 7,
    ]),
  );

const MAKES: readonly Choice[] = [
  ['ACURA', 'Acura', 0],
  ['CHEV', 'Chevrolet', 9120],
  ['DODGE', 'Dodge', 610],
  ['FORD', 'Ford', 11_204],
  ['HONDA', 'Honda', 7040],
  ['JEEP', 'Jeep', 3300],
  ['TOYOTA', 'Toyota', 9800],
];

const FILTERS: readonly Filter[] = [
  buildFilter('searchRadius', [
    ['10', '10 Miles', 40],
    ['25', '25 Miles', 0],
    ['50', '50 Miles', 800],
    ['75', '75 Miles', 1200],
    ['100', '100 Miles', 1900],
    ['0', 'Any Distance', 0],
  ]),
  buildFilter('marketExtension', [['include', 'Include Extended Delivery', 5210]]),
  buildFilter('vehicleUseType', [
    ['COMMERCIAL', 'Commercial', 1400],
    ['PERSONAL', 'Personal', 40_100],
  ]),
  buildFilter('vehicleExchange', [['true', 'Money Back Guarantee', 3120]]),
  buildFilter('yearRange', [['2024', '2024', 10]], {
    histogram: { min: 2015, max: 2026, step: 1, counts: [2, 3, 5, 9, 14, 18, 22, 30, 41, 38, 26, 12] },
  }),
  buildFilter('listingType', [
    ['NEW', 'New', 9000],
    ['USED', 'Used', 28_000],
    ['CERTIFIED', 'Certified', 4100],
    ['3P_CERT', 'Third-Party Certified', 400],
  ]),
  buildFilter('driveGroup', [
    ['AWD4WD', 'AWD/4WD', 21_000],
    ['FWD', 'Front Wheel Drive', 14_000],
    ['RWD', 'Rear Wheel Drive', 6000],
  ]),
  buildFilter('priceRange', [], {
    histogram: {
      min: 0,
      max: 100_000,
      step: 5000,
      counts: [1, 8, 22, 40, 52, 48, 44, 39, 30, 25, 18, 14, 9, 7, 5, 4, 3, 2, 1, 1],
    },
  }),
  buildFilter('monthlyPayment', [
    ['300', '$300/mo or less', 4100],
    ['400', '$400/mo or less', 12_000],
  ]),
  buildFilter('mileage', [
    ['15000', 'Under 15,000 Miles', 8000],
    ['75000', 'Under 75,000 Miles', 31_000],
  ]),
  buildFilter('vehicleStyleCode', [
    ['TRUCKS', 'Truck', 9100],
    ['SUVCROSS', 'SUV / Crossover', 19_400],
    ['VANMV', 'Van / Minivan', 1900],
    ['SEDAN', 'Sedan', 8300],
    ['HATCH', 'Hatchback', 1500],
    ['COUPE', 'Coupe', 900],
    ['CONVERT', 'Convertible', 0],
    ['VANS', 'Van', 310],
    ['SUV', 'SUV', 420],
  ]),
  buildFilter('seatCount', [
    ['5', '5 seats', 24_000],
    ['7', '7 seats', 6100],
  ]),
  buildFilter('fuelTypeGroup', [
    ['DSL', 'Diesel', 900],
    ['GSL', 'Gasoline', 33_000],
    ['HYD', 'Hydrogen', 4],
    ['ELE', 'Electric', 2900],
    ['ALT', 'Alternative', 100],
    ['PIH', 'Plug-in Hybrid', 800],
    ['HYB', 'Hybrid', 4200],
  ]),
  buildFilter('mpgRange', [
    ['20-MPG', '20+ MPG', 30_000],
    ['30-MPG', '30+ MPG', 12_000],
  ]),
  buildFilter('makeCode', MAKES),
  buildFilter('modelCode', []),
  buildFilter('seriesCode', []),
  buildFilter('trimCode', []),
  buildFilter('packages', []),
  buildFilter('extColorSimple', [
    ['BLACK', 'Black', 8000],
    ['BLUE', 'Blue', 4000],
    ['OTHER', 'Other', 90],
    ['RED', 'Red', 3900],
    ['WHITE', 'White', 9000],
  ]),
  buildFilter('intColorSimple', [
    ['BLACK', 'Black', 18_000],
    ['TAN', 'Tan', 2000],
  ]),
  numbered('transmissionCode', 2, 'Transmission'),
  numbered('engineDisplacement', 18, 'Displacement'),
  numbered('vehicleHistoryType', 4, 'History'),
  numbered('homeServices', 4, 'Service'),
  buildFilter(
    'featureCode',
    Array.from({ length: 30 }, (_, index) => [
      `FEATURE${index}`,
      `Feature ${index}`,
      900 - index,
      index < 15 ? 'Comfort' : 'Safety',
    ]),
  ),
  numbered('engineCode', 6, 'Cylinders'),
  buildFilter('dealType', [
    ['greatprice', 'Great Price', 4100],
    ['goodprice', 'Good Price', 6000],
  ]),
  numbered('doorCode', 4, 'Doors'),
  buildFilter('sellerType', [
    ['d', 'Dealer', 39_000],
    ['p', 'Private Seller', 2500],
  ]),
  buildFilter('electricMileRange', [
    ['200', '200+ Miles', 1800],
    ['UNSPECIFIED', 'Unspecified', 12],
  ]),
  buildFilter('truckBedLength', [
    ['SHORT', 'Short', 5000],
    ['LONG', 'Long', 1200],
  ]),
  buildFilter('bodyStyleSubtypeCode', [
    ['REGCAB', 'Regular Cab', 700],
    ['EXTCAB', 'Extended Cab', 1900],
    ['CREWCAB', 'Crew Cab', 6000],
    ['CREWMAX', 'CrewMax', 500],
  ]),
  numbered('suvSubtypeCode', 3, 'SUV kind'),
  numbered('vanSubtypeCode', 2, 'Van kind'),
  numbered('sedanSubtypeCode', 2, 'Sedan kind'),
];

/** The response's filters for a search of the whole inventory: most sections with a few options each. */
export const buildFilters = (overrides: readonly Filter[] = []): readonly Filter[] =>
  FILTERS.map((filter) => overrides.find(({ name }) => name === filter.name) ?? filter);

/** Models and trims in the response when Ford, Honda and F-150 are selected. */
export const VEHICLE_FILTERS: readonly Filter[] = [
  buildFilter('modelCode', [
    ['BRONCO', 'Bronco', 900, 'Ford'],
    ['F150', 'F-150', 4100, 'Ford'],
    ['CIVIC', 'Civic', 2100, 'Honda'],
  ]),
  buildFilter('trimCode', [
    ['F150|XL', 'XL', 700, 'F-150'],
    ['F150|XLT', 'XLT', 1700, 'F-150'],
  ]),
];

/** The chips that the shell creates for a search. */
export const buildChips = (criteria: SearchCriteria): readonly Chip[] =>
  chipsOf(criteria, { labelOf: createLabels({ filters: buildFilters() }), ownerName: 'Ace Ford' });
