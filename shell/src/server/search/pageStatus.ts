import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { emptySearch, type SearchState } from '@forecourt/shared-contracts/store';
import type { PageData } from '@forecourt/shared-contracts/entities';

/** State of a search whose parameters the upstream refused: the message in the grid area, status 200 (AMB-018). */
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

/** The upstream has answered, and says of the page itself that it is none (AMB-173). */
export class PageStatusError extends Error {
  override readonly name = 'PageStatusError';
  /** Of HTTP, 400 to 599. */
  readonly status: number;
  constructor(status: number) {
    super(`the page has status ${status}`);
    this.status = status;
  }
}

/** @throws PageStatusError where the page's data say that it is an error (B8-ERR-05) */
export function assertPageStatus({ statusCode = 200 }: PageData): void {
  if (statusCode < 400) return;
  // A number that is no status of HTTP would fail the answer itself.
  throw new PageStatusError(statusCode < 600 ? statusCode : 500);
}
