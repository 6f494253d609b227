import { isNewCarBoostWanted } from './newCarBoostRule.ts';
import { toNewCarBoostQuery } from './upstreamQueries.ts';
import type { ListingsResponse, SearchResponse } from '@forecourt/shared-contracts/entities';
import type { RequestContext } from '@forecourt/shared-contracts/query';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SessionState } from '@forecourt/shared-contracts/store';
import type { CallContext, Gateway } from '../upstream/gateway.ts';

const NONE: ListingsResponse = { listings: [], owners: [] };

/**
 * New vehicles of the searched model for who looks at recent used ones: asked
 * for only after the main answer says that there is enough to stand between
 * (B5-BOOST-01..05, B9-GRID-07, AMB-024). Optional: what fails is empty.
 */
export async function loadNewCarBoosts(
  gateway: Gateway,
  search: Promise<SearchResponse>,
  request: {
    readonly criteria: SearchCriteria;
    readonly session: SessionState;
    readonly upstream: RequestContext;
    readonly context: CallContext;
  },
): Promise<ListingsResponse> {
  const { criteria, session, upstream, context } = request;
  // Who waits for the search itself hears of its failure.
  const answer = await search.catch(() => undefined);
  if (!answer || criteria.firstRecord > 0) return NONE;
  const isWanted = isNewCarBoostWanted(criteria.filters, {
    zip: criteria.filters.zip?.[0] ?? session.visitorZip ?? undefined,
    currentYear: Number(session.today.slice(0, 4)),
    totalResultCount: answer.totalResultCount,
  });
  return isWanted ? gateway.call('newCarBoost', toNewCarBoostQuery(criteria, upstream), context) : NONE;
}
