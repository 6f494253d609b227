import type { ReferenceOption, PackageName } from '../http/callTypes.ts';
import { FILTERS } from '@forecourt/shared-contracts/catalog';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { FilterBuilder } from '../search/filters.ts';
import type { PlaceFinder } from '../places/places.ts';
import { readSearchRequest } from '../search/request.ts';
import { compareOptions, optionLabel } from '../search/optionLabels.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';

/** Categories that are called otherwise than their filter (AMB-176). */
const FILTER_OF: Readonly<Record<string, string>> = {
  years: 'yearRange',
  mileageRanges: 'mileage',
};

/**
 * Options of one category with the listings of each, for the make and model
 * that the query names (A7-REF-01, A7-REF-02). Undefined for a category that
 * does not exist.
 */
export function referenceOptions(
  params: URLSearchParams,
  deps: { index: ListingIndex; places: PlaceFinder; buildFilters: FilterBuilder },
): ReferenceOption[] | undefined {
  const category = params.get('category') ?? '';
  const name = FILTER_OF[category] ?? category;
  if (!FILTERS.some((section) => section.name === name)) return undefined;
  const { criteria, query } = readSearchRequest(params, deps.places);
  const { counts } = deps.index.search(query, { sort: 'yearDESC', first: 0, size: 1 }, { counts: true });
  const makeOf = new Map(counts?.models.map(({ code, make }) => [code, make?.code]));
  const filter = deps.buildFilters(criteria, counts).find((candidate) => candidate.name === name);
  return (filter?.options ?? []).map(({ label, value, count }) => ({
    label,
    value,
    count,
    ...(name === 'modelCode' && { makeCode: makeOf.get(value) }),
  }));
}

/** Packages with which the make, model and trim are for sale (A7-PACK-01, A7-PACK-02), in display order. */
export function packageNames(params: URLSearchParams, index: ListingIndex): PackageName[] {
  const { makeCode = [], modelCode = [], trimCode = [] } = decodeQuery(params).filters;
  const query = { vehicle: { ...ANY_VEHICLE, makes: makeCode, models: modelCode, trims: trimCode } };
  const { counts } = index.search(query, { sort: 'yearDESC', first: 0, size: 1 }, { counts: true });
  const { values, counts: perPackage } = counts!.facets.packages;
  return values
    .filter((_, code) => perPackage[code]! > 0)
    .map((value) => ({ value, label: optionLabel('packages', value) }))
    .sort(compareOptions('packages'))
    .map(({ value, label }) => ({ name: label, code: value }));
}
