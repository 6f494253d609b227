import type { Hit, ListingIndex, ListingQuery, PageRequest } from '../index/listingIndex.ts';

/** A search and how its own hits are sorted. */
export interface SearchStep {
  readonly query: ListingQuery;
  readonly sort: PageRequest['sort'];
}

/** One search after the other, until there are `count` hits: each adds what the earlier ones did not find. `total` is that of the widest. */
export function searchInTurn(
  index: ListingIndex,
  steps: readonly SearchStep[],
  count: number,
): { total: number; hits: Hit[] } {
  const found = new Map<string, Hit>();
  let total = 0;
  for (const { query, sort } of steps) {
    const step = index.search(query, { sort, first: 0, size: count });
    for (const hit of step.hits) if (!found.has(hit.id)) found.set(hit.id, hit);
    total = Math.max(total, step.total);
  }
  return { total, hits: [...found.values()].slice(0, count) };
}
