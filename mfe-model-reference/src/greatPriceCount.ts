import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { type RequestContext, toSearchQuery } from '@forecourt/shared-contracts/query';

/** Query of the great-price count (A7-COUNT-01): nationwide, great prices only. */
export function toGreatPriceCountQuery(criteria: SearchCriteria, context: RequestContext): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  params.set('searchRadius', '0');
  params.set('dealType', 'greatprice');
  return params;
}
