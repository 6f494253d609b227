import { buildListing, buildOwner } from '@forecourt/upstream/testing';
import type { Chip } from '../catalog/chips.ts';
import type { FilterParam } from '../criteria/criteria.ts';
import { resultsPage } from '../state/marketplaceState.ts';
import { emptySearch } from '../state/searchSlice.ts';
import { anonymousSession } from '../state/sessionSlice.ts';
import type { PageState, RootState, SearchState, SessionState } from '../state/state.ts';
import { type SlugData, createSlugReference } from '../criteria/slugs.ts';

/** The chip of one selected value. */
export const buildChip = (param: FilterParam, value: string, label: string): Chip => ({
  key: `${param}:${value}`,
  label,
  kind: 'value',
  section: param,
  param,
  params: [param],
  values: [value],
});

/** The state of a page; by default with one listing of one dealer. */
export function buildState(
  search: Partial<SearchState> = {},
  session: Partial<SessionState> = {},
  page: Partial<PageState> = {},
): RootState {
  const listings = search.listings ?? [buildListing()];
  return {
    page: { ...resultsPage, ...page },
    search: {
      ...emptySearch,
      requestId: 'r1',
      listings,
      owners: { d1: buildOwner() },
      pageSizes: [listings.length],
      totalResultCount: listings.length,
      ...search,
    },
    session: { ...anonymousSession, today: '2026-06-15', ...session },
  };
}

const trims = (...names: string[]) =>
  names.map((name) => ({ code: name.toUpperCase(), name, slug: name.toLowerCase() }));

/** A small reference with edge cases: a model named like a year, a duplicate slug, a shared model code. */
const DATA: SlugData = {
  makes: [
    {
      code: 'FORD',
      name: 'Ford',
      slug: 'ford',
      models: [
        { code: 'F150', name: 'F150', slug: 'f150', trims: trims('XL', 'XLT') },
        { code: 'ESCAPE', name: 'Escape', slug: 'escape' },
        { code: 'TRANVAN', name: 'Transit Van', slug: 'van' },
      ],
    },
    { code: 'BMW', name: 'BMW', slug: 'bmw', models: [{ code: 'BMW3', name: '3 Series', slug: '3-series' }] },
    {
      code: 'RAM',
      name: 'Ram',
      slug: 'ram',
      models: [
        { code: 'RM2019', name: '2019', slug: '2019' },
        { code: 'RMCA', name: 'Santa Fe Ca', slug: 'santa-fe-ca' },
        { code: 'RMCB', name: 'Second Santa Fe', slug: 'santa-fe-ca' },
      ],
    },
    {
      code: 'MERC',
      name: 'Mercury',
      slug: 'mercury',
      models: [{ code: 'ESCAPE', name: 'Escape (Mercury)', slug: 'escape' }],
    },
    { code: 'ODD', name: 'Odd', slug: 'electric', models: [] },
  ],
};

export const testReference = createSlugReference(DATA);
