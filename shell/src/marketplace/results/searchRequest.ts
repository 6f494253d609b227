import { createPlaceLookup, type PlaceLookup } from './placeLookup.ts';
import type { SearchCriteria, SlugReference } from '@forecourt/search/criteria';
import type { QueryOptions } from '@forecourt/search/query';
import { type SessionState, emptySearch, type SearchState } from '@forecourt/search/state';
import type { SearchPageData } from '@forecourt/upstream/entities';
import type { CallContext, Gateway } from '../../engine/gateway/gateway.ts';
import type { Reporter } from '../../engine/operations/reporter.ts';
import type { AccountState } from '../saved/savedState.ts';
import type { SlugReferenceKeeper } from '../urls/slugReference.ts';

export interface SearchLoader {
  readonly gateway: Pick<Gateway, 'call' | 'request'>;
  readonly placeOf: PlaceLookup;
  readonly reference: Pick<SlugReferenceKeeper, 'current'> & Partial<Pick<SlugReferenceKeeper, 'renew'>>;
  /** Version of the upstream's relevance formula; undefined for the usual one (AMB-138). */
  readonly relevanceVersion?: string | undefined;
}

export const createSearchLoader = (
  { gateway, reference }: Pick<SearchLoader, 'gateway' | 'reference'>,
  { RELEVANCE_VERSION }: { readonly RELEVANCE_VERSION?: string | undefined },
): SearchLoader => ({
  gateway,
  reference,
  placeOf: createPlaceLookup(gateway),
  relevanceVersion: RELEVANCE_VERSION,
});

export interface SearchRequest {
  readonly criteria: SearchCriteria;
  readonly session: SessionState;
  /** Of a campaign; the brand's own otherwise (AMB-163, AMB-164). */
  readonly channel?: string | undefined;
  readonly pixallId?: string | undefined;
  /** Saved items of the signed-in visitor. */
  readonly account?: Promise<AccountState>;
  readonly context: CallContext;
  readonly report?: Reporter;
}

/** Parameters that every search call of the request has. */
export const upstreamParams = (
  { relevanceVersion }: SearchLoader,
  { session, channel, pixallId }: SearchRequest,
): QueryOptions => ({
  brand: session.brand,
  ...(relevanceVersion ? { relevanceConfig: relevanceVersion } : {}),
  ...(channel ? { channel } : {}),
  ...(pixallId ? { pixallId } : {}),
  ...(session.visitorZip ? { visitorZip: session.visitorZip } : {}),
});

/** Page number, from 1. */
export const pageOf = ({ firstRecord, numRecords }: SearchCriteria): number =>
  1 + Math.floor(firstRecord / numRecords);

/** State of a search whose parameters the upstream refused: a message in the grid, status 200 (AMB-018). */
export const emptyResults = (criteria: SearchCriteria, url: string, requestId: string): SearchState => ({
  ...emptySearch,
  criteria,
  url,
  requestId,
  status: 'invalid',
  texts: {
    heading: 'Cars for Sale',
    title: 'Cars for Sale',
    description: '',
    canonicalUrl: '/cars-for-sale/all-cars',
  },
});

/** The upstream's response sets an error status for the page (AMB-173). */
export class PageStatusError extends Error {
  override readonly name = 'PageStatusError';
  /** HTTP status, 400 to 599. */
  readonly status: number;
  constructor(status: number) {
    super(`the page has status ${status}`);
    this.status = status;
  }
}

/** @throws PageStatusError if the page's data contain an error status */
export function assertPageStatus({ statusCode = 200 }: SearchPageData): void {
  if (statusCode < 400) return;
  // Express throws on a status outside HTTP's range.
  throw new PageStatusError(statusCode < 600 ? statusCode : 500);
}

/** @throws PageStatusError 404 if nothing is found and no make of the search exists */
export function assertKnownMakes(
  { filters: { makeCode } }: SearchCriteria,
  totalResultCount: number,
  reference: SlugReference,
): void {
  if (totalResultCount > 0 || !makeCode || reference.isEmpty) return;
  if (makeCode.every((code) => reference.makeLabel(code) === undefined)) throw new PageStatusError(404);
}
