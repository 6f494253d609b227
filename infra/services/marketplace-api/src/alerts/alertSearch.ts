import {
  type SearchCriteria,
  type SlugReference,
  decodeQuery,
  decodeUrl,
  EMPTY_SLUG_REFERENCE,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl, filterPairs, writeQuery } from '@forecourt/shared-contracts/url';

/** A search of an alert in its one form; undefined for an address which is no search. */
export function normaliseSearch(
  given: string,
  reference: () => SlugReference,
): { search: string; criteria: SearchCriteria } | undefined {
  const criteria = given.startsWith('/')
    ? fromAddress(given, reference())
    : decodeQuery(given.replace(/^\?/, ''));
  if (!criteria) return undefined;
  const { filters, experience } = criteria;
  const pairs = [...filterPairs(filters), ...(experience ? [['experience', experience] as const] : [])];
  return { search: writeQuery(pairs), criteria };
}

function fromAddress(address: string, reference: SlugReference): SearchCriteria | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const decoded = decodeUrl(pathname, searchParams, reference);
  return decoded.kind === 'notFound' ? undefined : decoded.criteria;
}

/** Path and query of the results page of a stored search, newest listings first. */
export const resultsPath = (search: string, reference: SlugReference = EMPTY_SLUG_REFERENCE): string =>
  encodeUrl({ ...decodeQuery(search), sortBy: 'datelistedDESC' }, reference);
