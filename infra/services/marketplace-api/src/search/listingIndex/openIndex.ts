import type { StockLog } from '../../inventory/index.ts';
import { createColumnarIndex } from './columnarIndex.ts';
import type { ListingIndex } from './listingIndex.ts';
import type { IndexerOptions } from './openSearch/indexer.ts';

export interface IndexOptions {
  /** Of an OpenSearch cluster. */
  readonly url: string | undefined;
  /** First part of the names of its indexes. */
  readonly prefix: string;
  /** Of an index. */
  readonly shards: number;
  /** ms of one request of a search. */
  readonly timeoutMs: number;
  /** Whether replicas share one index, which `openIndexer` keeps. */
  readonly isShared: boolean;
}

/** The index in memory, or with a URL that of OpenSearch, whose client is loaded only then. */
export async function openIndex({ url, ...options }: IndexOptions): Promise<ListingIndex> {
  if (url === undefined) return createColumnarIndex();
  const { openOpenSearch } = await import('./openSearch/openSearchIndex.ts');
  return openOpenSearch({ url, ...options });
}

/** What keeps the index that replicas share: in one of them at a time. */
export async function openIndexer({
  url,
  prefix,
  shards,
  timeoutMs,
  ...options
}: IndexerOptions & Pick<IndexOptions, 'prefix' | 'shards' | 'timeoutMs'> & { readonly url: string }) {
  const { Indexer } = await import('./openSearch/indexer.ts');
  const { IndexStorage } = await import('./openSearch/indexStorage.ts');
  const { SearchCluster } = await import('./openSearch/cluster.ts');
  const { definitionOf } = await import('./openSearch/mapping.ts');
  const cluster = new SearchCluster({ url, timeoutMs });
  const indexer = new Indexer(new IndexStorage(cluster, prefix, definitionOf(shards), shards), options);
  return {
    definition: definitionOf(shards),
    bringUpTo: (log: StockLog, signal?: AbortSignal) => indexer.bringUpTo(log, signal),
    close: () => cluster.close(),
  };
}
