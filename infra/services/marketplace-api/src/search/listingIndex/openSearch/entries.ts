import { z } from 'zod';
import { vehicleKey } from '../vehicleTree.ts';
import type { ClusterRequest, SearchCluster } from './cluster.ts';
import { facetField } from './mapping.ts';
import { type Entry, term } from './vocabulary.ts';

/** The field of the listings that an entry is about, and its term there. */
export function termOf(entry: Entry): readonly [field: string, term: string] {
  if ('vehicle' in entry) return ['vehicle', term(vehicleKey(entry.vehicle))];
  const { name, code } = entry;
  return [name === 'year' ? name : facetField(name), term(code)];
}

/** Entries of one response. */
const AT_ONCE = 5_000;

const entry = z.string().transform((text) => JSON.parse(text) as Entry);
const found = z.object({
  hits: z.object({
    hits: z.array(z.object({ fields: z.object({ entry: z.tuple([entry]) }), sort: z.tuple([z.string()]) })),
  }),
});

/** The codes and names that the listings of an index have or had. `body` is a part of each request. */
export async function readEntries(
  cluster: SearchCluster,
  { body, ...request }: Omit<ClusterRequest, 'lines'>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: string | undefined;
  do {
    const { hits } = await cluster.send(found, {
      ...request,
      body: {
        ...body,
        query: { exists: { field: 'entry' } },
        docvalue_fields: ['entry'],
        size: AT_ONCE,
        sort: [{ entry: 'asc' }],
        ...(after !== undefined && { search_after: [after] }),
      },
    });
    entries.push(...hits.hits.map(({ fields }) => fields.entry[0]));
    after = hits.hits.length === AT_ONCE ? hits.hits.at(-1)!.sort[0] : undefined;
  } while (after !== undefined);
  return entries;
}
