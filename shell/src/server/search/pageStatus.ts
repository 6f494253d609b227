import type { SearchCriteria, SlugReference } from '@forecourt/shared-contracts/criteria';
import { emptySearch, type SearchState } from '@forecourt/shared-contracts/store';
import type { PageData } from '@forecourt/shared-contracts/entities';

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

/** @throws PageStatusError if the page's data contain an error status (B8-ERR-05) */
export function assertPageStatus({ statusCode = 200 }: PageData): void {
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
