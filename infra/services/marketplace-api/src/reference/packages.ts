import type { PackageName } from '@forecourt/shared-contracts/entities';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';
import type { ListingIndex } from '../index/listingIndex.ts';
import { compareOptions, optionLabel } from '../search/optionLabels.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';

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
