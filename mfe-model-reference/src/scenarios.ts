import { buildState } from '@forecourt/search/testing';
import { defineScenarios } from '@forecourt/slots/testing';
import {
  buildPageUrl,
  F150,
  newTrims,
  withoutData,
  sampleData,
  slugReference,
  specsOf,
  stateOf,
  trim,
  year,
  yearsForSale,
} from './testing/sampleData.ts';
import buildYourPrice from './slots/build-your-price.tsx';
import modelReference from './slots/model-reference.tsx';

const calls = { specs: ({ vehicleId = '' }) => specsOf(vehicleId) };
/** The build-your-price page with a query. */
const build = (query: string) => ({
  module: buildYourPrice,
  state: buildState({}, {}, { kind: 'build-your-price', url: buildPageUrl(query) }),
  calls: {
    slugReference: () => slugReference,
    newModelYears: () => ({ links: yearsForSale }),
    referenceVehicles: () => ({ items: newTrims }),
  },
});
const of = { module: modelReference, state: stateOf(), data: sampleData, calls };

/** All visually distinct states of the slots. */
export default defineScenarios([
  { ...of, name: 'everything' },
  {
    ...of,
    name: 'editorial-tabs',
    state: stateOf(F150, {
      editorial: {
        editorialReviews: [],
        makeSummaryData: undefined,
        editorialContent: {
          tabs: [
            {
              key: 'overview',
              label: 'Overview',
              sections: [
                { heading: 'What it is', paragraphs: ['A full-size pickup with six cabs and beds.'] },
                {
                  heading: 'What to look for',
                  paragraphs: ['Service records.', 'Rust behind the rear wheels.'],
                },
              ],
            },
          ],
        },
      },
    }),
  },
  {
    ...of,
    name: 'editorial-only',
    state: stateOf(F150, {
      editorial: {
        editorialReviews: [],
        makeSummaryData: undefined,
        editorialContent: { onlyTabs: ['safety'], tabs: [] },
      },
    }),
  },
  { ...of, name: 'electric-chosen', state: stateOf({ ...F150, fuelTypeGroup: ['ELE'] }) },
  { ...of, name: 'trim-chosen', state: stateOf({ ...F150, trimCode: ['F150|XLT'] }) },
  {
    ...of,
    name: 'pricing-only',
    data: { ...withoutData, modelYearsData: sampleData.modelYearsData, greatPriceListingCount: null },
  },
  {
    ...of,
    name: 'many-trims-and-years',
    data: {
      ...sampleData,
      modelYearsData: Array.from({ length: 18 }, (_, at) => year(String(2009 + at), 9_000 + at * 2_100)),
      trims: Array.from({ length: 16 }, (_, at) =>
        trim(String(at), `King Ranch ${at} SuperCrew 6.5-Foot Bed Tremor`, { year: 2026 + (at % 2) }),
      ),
    },
  },
  { ...of, name: 'specs-fail', calls: { specs: () => Promise.reject(new Error('down')) } },
  { ...of, name: 'loading', data: null },
  { ...of, name: 'nothing-known', data: withoutData },
  { ...build(''), name: 'build-choose-make' },
  { ...build('makeCode=FORD'), name: 'build-choose-model' },
  { ...build('makeCode=FORD&modelCode=F150'), name: 'build-cheapest-trim' },
  {
    ...build('makeCode=FORD&modelCode=F150&year=2026&trim=raptor&down=20000&term=48&apr=3.5'),
    name: 'build-chosen-payment',
  },
  {
    ...build('makeCode=FORD&modelCode=F150'),
    name: 'build-unavailable-model',
    calls: { slugReference: () => slugReference, newModelYears: () => ({ links: [] }) },
  },
]);
