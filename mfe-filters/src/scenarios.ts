import { BRANDS, resolveFlags, type BrandCode } from '@forecourt/search/brands';
import type { FilterValues, SearchCriteria } from '@forecourt/search/criteria';
import type { RootState, SearchState, SessionState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { defineScenarios, emitEvent, withSteps, waitFor } from '@forecourt/slots/testing';
import type { Filter } from '@forecourt/upstream/entities';
import filterPanel from './slots/filters.tsx';
import locationEditor from './slots/location-editor.tsx';
import toolbar from './slots/toolbar.tsx';
import { buildChips, buildFilter, buildFilters } from './testing/builders.ts';

interface Parts {
  readonly selectedFilters?: FilterValues;
  readonly filters?: readonly Filter[];
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
  readonly brand?: BrandCode;
}

/** A brand's page with selected filters and their chips. */
function stateOf({
  selectedFilters = {},
  filters = buildFilters(),
  search,
  session,
  brand = 'atc',
}: Parts): RootState {
  const criteria: SearchCriteria = {
    filters: selectedFilters,
    sortBy: 'relevance',
    firstRecord: 0,
    numRecords: 30,
    unknown: [],
  };
  return buildState(
    { criteria, filters, chips: buildChips(criteria), totalResultCount: 41_500, ...search },
    { brand, flags: resolveFlags(BRANDS[brand]), ...session },
  );
}

const { suggestions: noSuggestions } = stateOf({}).search;
const MAKES = { makeCode: ['FORD', 'TOYOTA', 'HONDA', 'JEEP', 'CHEV'] };
const FEW = { makeCode: ['FORD'], extColorSimple: ['RED'], maxPrice: ['9000'] };
const chicago = { zip: ['60601'], searchRadius: ['50'] };
const LONG = 'Commercial Truck, Upfitted, With Ladder Rack, Partition, Shelves and a Lift Gate';

/** All visually distinct states of panel, toolbar and location. */
export default defineScenarios([
  { name: 'panel', module: filterPanel, state: stateOf({}) },
  {
    // The panel's content on small screens.
    name: 'panel-in-a-dialog',
    module: withSteps(
      filterPanel,
      emitEvent('dialog.requested', { name: 'filters' }),
      waitFor('dialog[open] input'),
    ),
    state: stateOf({ selectedFilters: FEW }),
    calls: { filterPreview: () => ({ totalResultCount: 14, filters: buildFilters() }) },
  },
  { name: 'panel-with-five-makes', module: filterPanel, state: stateOf({ selectedFilters: MAKES }) },
  {
    name: 'panel-electric-only',
    module: filterPanel,
    state: stateOf({ selectedFilters: { fuelTypeGroup: ['ELE'] } }),
  },
  { name: 'panel-empty', module: filterPanel, state: stateOf({ filters: [] }) },
  { name: 'panel-loading', module: filterPanel, state: stateOf({ search: { status: 'loading' } }) },
  { name: 'panel-error', module: filterPanel, state: stateOf({ search: { status: 'failed' } }) },
  {
    name: 'panel-long-text',
    module: filterPanel,
    state: stateOf({
      selectedFilters: { vehicleUseType: ['LONG'] },
      filters: buildFilters([buildFilter('vehicleUseType', [['LONG', LONG, 1_234_567]])]),
    }),
  },
  {
    name: 'panel-without-results',
    module: filterPanel,
    state: stateOf({ selectedFilters: FEW, search: { listings: [], totalResultCount: 0 } }),
  },
  { name: 'panel-kbb', module: filterPanel, state: stateOf({ brand: 'kbb' }) },
  { name: 'panel-oem', module: filterPanel, state: stateOf({ brand: 'oem' }) },
  { name: 'toolbar', module: toolbar, state: stateOf({}) },
  { name: 'toolbar-with-five-makes', module: toolbar, state: stateOf({ selectedFilters: MAKES }) },
  {
    name: 'toolbar-loading',
    module: toolbar,
    state: stateOf({ selectedFilters: MAKES, search: { status: 'loading' } }),
  },
  {
    name: 'toolbar-with-suggestions',
    module: toolbar,
    state: stateOf({
      selectedFilters: { makeCode: ['FORD'] },
      search: {
        suggestions: {
          ...noSuggestions,
          filters: [
            { name: 'AWD/4WD', codes: { driveGroup: ['AWD4WD'] }, count: 21_000 },
            { name: 'Under 15,000 Miles', codes: { mileage: ['15000'] }, count: 8_000 },
          ],
        },
      },
    }),
  },
  {
    name: 'toolbar-with-near-misses',
    module: toolbar,
    state: stateOf({
      selectedFilters: FEW,
      search: {
        totalResultCount: 2,
        suggestions: {
          ...noSuggestions,
          nearMisses: [
            { name: 'extColorSimple', count: 14 },
            { name: 'priceRange', count: 1_240 },
          ],
        },
      },
    }),
  },
  { name: 'toolbar-kbb', module: toolbar, state: stateOf({ selectedFilters: MAKES, brand: 'kbb' }) },
  { name: 'toolbar-oem', module: toolbar, state: stateOf({ selectedFilters: MAKES, brand: 'oem' }) },
  {
    name: 'location',
    module: locationEditor,
    state: stateOf({ selectedFilters: chicago }),
    data: { zip: '60601', city: 'Chicago', state: 'IL' },
  },
  {
    name: 'location-unknown',
    module: locationEditor,
    state: stateOf({ selectedFilters: { zip: ['00000'] } }),
    data: { zip: '00000' },
  },
  { name: 'location-none', module: locationEditor, state: stateOf({}), data: null },
]);
