import { type SearchCriteria, MAX_SEARCH_RADIUS } from '@forecourt/shared-contracts/criteria';
import { type RequestContext, toSearchQuery } from '@forecourt/shared-contracts/query';

/** Query of the supplemental results (A7-SUPP-01..03, AMB-106); `nearby` asks for the next market (AMB-151). */
export function toSupplementalQuery(
  criteria: SearchCriteria,
  context: RequestContext & { readonly firstRecord?: number; readonly nearby?: boolean },
): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  params.set('sortBy', criteria.sortBy);
  params.set('hideFilters', 'true');
  params.set('supplemental', 'true');
  params.set('numRecords', String(SUPPLEMENTAL_NUM_RECORDS));
  params.set('firstRecord', String(context.firstRecord ?? 0));
  if (context.nearby) {
    params.set('marketExtension', 'include');
    params.set('searchRadius', String(MAX_SEARCH_RADIUS));
  }
  return params;
}

/** Listings asked for by a supplemental request (A9-LIMIT-04). */
export const SUPPLEMENTAL_NUM_RECORDS = 100;
