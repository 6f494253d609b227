import { createColumnarIndex } from './columnarIndex.ts';
import type { ListingIndex } from './listingIndex.ts';

export interface IndexOptions {
  /** Of an OpenSearch cluster. */
  readonly url: string | undefined;
  /** First part of the names of its indexes. */
  readonly prefix: string;
  /** ms of one request of a search. */
  readonly timeoutMs: number;
}

/** The index in memory, or with a URL that of OpenSearch, whose client is loaded only then. */
export async function openIndex({ url, ...options }: IndexOptions): Promise<ListingIndex> {
  if (url === undefined) return createColumnarIndex();
  const { openOpenSearch } = await import('./openSearch/openSearchIndex.ts');
  return openOpenSearch({ url, ...options });
}
