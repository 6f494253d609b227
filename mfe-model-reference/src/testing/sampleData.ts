import type { FilterValues } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { buildChip, buildState } from '@forecourt/search/testing';
import type { Trim } from '@forecourt/upstream/entities';
import { type TrimSpec, TRIM_SPEC_IDS } from '../compareTrims/trimRows.ts';
import type { ReferenceData } from '../data/loadReference.ts';

// Sample responses for scenarios and tests.

export const F150: FilterValues = { makeCode: ['FORD'], modelCode: ['F150'] };

/** The state of a search for F-150s. */
export const stateOf = (
  filters: FilterValues = F150,
  search: Partial<RootState['search']> = {},
  flags = { modelReference: true },
): RootState =>
  buildState(
    {
      criteria: { filters, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
      chips: [buildChip('makeCode', 'FORD', 'Ford'), buildChip('modelCode', 'F150', 'F-150')],
      ...search,
    },
    { flags },
  );

export const year = (value: string, avgPrice: number) => ({
  value,
  label: value,
  link: `/cars-for-sale/all/${value}/ford/f150`,
  count: 1200,
  avgPrice,
  startingPrice: avgPrice - 8_000,
  maxPrice: avgPrice + 20_000,
});

export function trim(vehicleId: string, trimName: string, changes: Partial<Trim> = {}): Trim {
  return {
    vehicleId,
    trimName,
    bodyStyle: 'Truck',
    engineType: 'Gas',
    fuelTypeGroup: 'GSL',
    year: 2026,
    epaCity: 18,
    epaHwy: 24,
    nationalMSRP: 48_000,
    imagePath: '/pictures/trucks/blue/front.svg',
    atcMake: 'Ford',
    atcModel: 'F-150',
    atcMakeCode: 'FORD',
    atcModelCode: 'F150',
    ...changes,
  };
}

const LIGHTNING: Partial<Trim> = {
  engineType: 'Electric',
  fuelTypeGroup: 'ELE',
  epaCity: undefined,
  epaHwy: undefined,
  epaMpgeCity: 76,
  epaMpgeHwy: 61,
  nationalMSRP: 63_000,
};

/** Specs of a trim; higher ids have more standard features, and the last spec is unknown. */
export const specsOf = (vehicleId: string): TrimSpec[] =>
  TRIM_SPEC_IDS.slice(0, -1).map((specId, at) => ({
    specId,
    value: at < Number(vehicleId) + 2 ? 'Standard' : at % 2 === 0 ? 'Optional' : 'Not Available',
  }));

export const sampleData: ReferenceData = {
  makeCode: 'FORD',
  modelCode: 'F150',
  modelYearsData: [year('2021', 33_000), year('2022', 38_500), year('2023', 41_200)],
  trimsData: [{ value: 'F150|XLT', label: 'XLT', link: '/cars-for-sale/all/ford/f150/xlt', count: 1 }],
  greatPriceListingCount: 412,
  area: null,
  usedCount: 840,
  isPartial: false,
  researchedYear: 2026,
  trims: [
    trim('1', 'XL'),
    trim('2', 'XLT', { nationalMSRP: 52_000 }),
    trim('3', 'Lariat', { nationalMSRP: 61_500, year: 2027 }),
    trim('4', 'Lightning Pro Extended Range Battery Work Truck', LIGHTNING),
  ],
  safetyInfo: {
    vehicleId: '1',
    features: {
      'Safety Ratings': [
        { name: 'Overall', value: '5' },
        { name: 'Frontal crash', value: '4' },
        { name: 'Side crash', value: '5' },
        { name: 'Rollover', value: '4' },
      ],
      'Safety Features': [
        { name: 'Antilock brakes', value: 'std' },
        { name: 'Blind-spot monitor', value: 'opt' },
        { name: 'Automatic emergency braking', value: 'n/a' },
      ],
    },
    Specifications: [
      { name: 'Front legroom', value: '43.9 in' },
      { name: 'Rear legroom', value: '43.6 in' },
    ],
  },
  ratings: {
    ratings: [
      { name: 'Overall Rating', value: 4.4 },
      { name: 'Comfort', value: 4.6 },
      { name: 'Reliability', value: 4.1 },
      { name: 'Value', value: 3.9 },
    ],
    numberOfReviews: 128,
    reviews: [
      {
        title: 'Tows without a word',
        author: 'Dana',
        date: '2026-03-05',
        rating: 4.5,
        text: 'Two summers with a camper behind it, and it still starts every morning.',
      },
    ],
  },
  modelInfo: {
    year: 2026,
    make: { code: 'FORD', name: 'Ford' },
    model: { code: 'F150', name: 'F-150' },
    bodyStyles: [{ code: 'TRUCKS', name: 'Truck' }],
    fuelTypes: [{ code: 'GSL', name: 'Gasoline' }],
    trims: [
      { code: 'F150|XL', name: 'XL' },
      { code: 'F150|XLT', name: 'XLT' },
      { code: 'F150|Lariat', name: 'Lariat' },
    ],
    mpg: { min: 17, max: 24 },
    seats: { min: 3, max: 6 },
    count: 1_930,
  },
  mileage: {
    minYear: 2012,
    difference: -4_100,
    maxDifference: -12_000,
    averageMiles: 51_240,
    mileageMax: 212_900,
    mileagePerYearMean: 12_600,
    highestMileageName: '2012',
    highestMileageCount: 18,
    percentModel: 84,
    percentAllCar: 91,
    facetStatsCalculate: Array.from({ length: 12 }, (_, at) => ({
      name: String(2025 - at),
      percent: Math.round(1000 * (0.16 - at * 0.0139)) / 10,
    })),
  },
};

/** The same model without any data. */
export const withoutData: ReferenceData = {
  ...sampleData,
  modelYearsData: [],
  trimsData: [],
  trims: [],
  safetyInfo: null,
  ratings: null,
  modelInfo: null,
  mileage: null,
};

/** Path and query of a build-your-price page. */
export const buildPageUrl = (query: string): string =>
  `/cars-for-sale/build-your-price${query && `?${query}`}`;

export const slugReference = {
  makes: [
    {
      code: 'FORD',
      name: 'Ford',
      slug: 'ford',
      models: [
        { code: 'F150', name: 'F-150', slug: 'f150' },
        { code: 'MUSTANG', name: 'Mustang', slug: 'mustang' },
      ],
    },
    {
      code: 'HONDA',
      name: 'Honda',
      slug: 'honda',
      models: [{ code: 'CIVIC', name: 'Civic', slug: 'civic' }],
    },
  ],
};

export const yearsForSale = ['2027', '2026'].map((value) => ({
  value,
  label: value,
  link: `/cars-for-sale/new/${value}/ford/f150`,
  count: 81,
  startingPrice: 36_848,
}));

export const newTrims: readonly Trim[] = [
  trim('raptor', 'Raptor <R>', { nationalMSRP: 80_000 }),
  trim('xl', 'XL', { nationalMSRP: 40_000 }),
];
