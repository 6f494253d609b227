import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import {
  type RequestContext,
  toApiQuery,
  toSearchQuery,
  NUM_SPOTLIGHTS,
} from '@forecourt/shared-contracts/query';

/** Number of requested new-car boosts (B7-NCB-02). */
const NEW_CAR_BOOST_NUM_RECORDS = 2;

/** Query of the premium spotlights; `page` counts from 1 (B7-PREM-01..04, AMB-007). */
export function toPremiumSpotlightQuery(
  criteria: SearchCriteria,
  context: RequestContext & { readonly page: number; readonly isCarousel?: boolean },
): URLSearchParams {
  const count = context.isCarousel
    ? NUM_SPOTLIGHTS.premiumCarousel
    : context.page > 1
      ? NUM_SPOTLIGHTS.premiumLoadMore
      : NUM_SPOTLIGHTS.premiumFirstPage;
  return spotlightQuery(criteria, { ...context, tier: 'premium', count });
}

/** Query of the featured or standard spotlights (B9-PAGE-04, B9-PAGE-05). */
export function toSpotlightQuery(
  criteria: SearchCriteria,
  context: RequestContext & { readonly tier: 'featured' | 'standard'; readonly page: number },
): URLSearchParams {
  return spotlightQuery(criteria, { ...context, count: NUM_SPOTLIGHTS[context.tier] });
}

function spotlightQuery(
  criteria: SearchCriteria,
  context: RequestContext & { readonly tier: string; readonly count: number; readonly page: number },
): URLSearchParams {
  const params = toApiQuery(criteria, { ...context, hasExtraRecord: false });
  params.set('numSpotlights', String(context.count));
  params.set('listingTier', context.tier);
  params.set('spotlightPage', String(context.page));
  return params;
}

/** Query of the vehicle highlight (B7-HIGH-01). */
export function toHighlightQuery(criteria: SearchCriteria, context: RequestContext): URLSearchParams {
  const params = toApiQuery(criteria, { ...context, hasExtraRecord: false });
  params.set('includeExtendedVehicleHighlights', 'true');
  return params;
}

/** Query of the new-car boosts (B7-NCB-01, B7-NCB-02). */
export function toNewCarBoostQuery(criteria: SearchCriteria, context: RequestContext): URLSearchParams {
  const { modelCode, trimCode, seriesCode, ...others } = criteria.filters;
  const params = toSearchQuery({ ...criteria, filters: others }, context);
  params.set('firstRecord', '0');
  params.set('numRecords', String(NEW_CAR_BOOST_NUM_RECORDS));
  if (modelCode) params.set('modelCodeToBoost', modelCode.join(','));
  if (trimCode) params.set('trimCodeToBoost', trimCode.join(','));
  if (seriesCode) params.set('seriesCodeToBoost', seriesCode.join(','));
  return params;
}
