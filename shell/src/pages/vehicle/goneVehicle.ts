import { encodeUrl } from '@forecourt/shared-contracts/url';
import {
  singleValue,
  type FilterParam,
  type SearchCriteria,
  type SlugReference,
} from '@forecourt/shared-contracts/criteria';
import { HOME } from '../../accounts/returnUrl.ts';
import type { SearchBefore } from './backLink.ts';

/** Where somebody looks: of a search for another vehicle only this still holds. */
const PLACE = ['zip', 'searchRadius', 'state', 'city'] as const satisfies readonly FilterParam[];

/**
 * The results which say that a vehicle is gone (AMB-149): the search before,
 * when that was for its model or the model is not known; else its model's,
 * near the place of the search before, so that the alert names the vehicle
 * that was looked for. Path and query.
 */
export function resultsInstead(
  model: { readonly makeCode: string; readonly modelCode: string } | null,
  before: SearchBefore | undefined,
  reference: SlugReference,
): string {
  if (before && (!model || isFor(model, before.criteria)))
    return encodeUrl({ ...before.criteria, expiredListing: true }, reference);
  if (!model) return `${HOME}?expiredListing=1`;
  const place = PLACE.flatMap((param) => {
    const values = before?.criteria.filters[param];
    return values ? [[param, values] as const] : [];
  });
  const criteria: SearchCriteria = {
    filters: { ...Object.fromEntries(place), makeCode: [model.makeCode], modelCode: [model.modelCode] },
    sortBy: 'relevance',
    firstRecord: 0,
    numRecords: 30,
    expiredListing: true,
    unknown: [],
  };
  return encodeUrl(criteria, reference);
}

const isFor = (model: { makeCode: string; modelCode: string }, criteria: SearchCriteria): boolean =>
  singleValue(criteria, 'makeCode') === model.makeCode &&
  singleValue(criteria, 'modelCode') === model.modelCode;
