import { COLUMN_NAMES } from './columnNames.data.ts';
import type { FeedField } from './mapping.ts';

/** A column's name without punctuation and case: 'Stock #' and 'stock' are the same. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The last part of a nested column's name, with its group: 'price.amount', 'g:price' and '@price'. */
const namesOf = (column: string): readonly string[] => {
  const bare = column.replace(/\.#text$/, '').replace(/(^|\.)\w+:/g, '$1');
  const parts = bare.split('.');
  return [plainName(bare), plainName(parts.slice(-2).join('')), plainName(parts.at(-1) ?? '')];
};

const PLACES = Object.entries(COLUMN_NAMES).map(
  ([field, names]) =>
    [field as FeedField, new Map(names.split(' ').map((name, place) => [name, place]))] as const,
);

/** How usual a column's name is for each field: 1 for the surest name, less for others. */
export function fieldsNamed(column: string): ReadonlyMap<FeedField, number> {
  const names = namesOf(column);
  const found = new Map<FeedField, number>();
  for (const [field, places] of PLACES) {
    const sure = names.map((name, index) => {
      const place = places.get(name);
      return place === undefined ? 0 : 1 - place * 0.02 - index * 0.05;
    });
    const best = Math.max(...sure);
    if (best > 0) found.set(field, best);
  }
  return found;
}

const VEHICLE_FIELDS = ['vin', 'stockNumber', 'year', 'make', 'model', 'price', 'mileage', 'trim'] as const;

/** How many facts of a vehicle columns name. */
export function vehicleFactsIn(columns: Iterable<string>): number {
  const found = new Set<FeedField>();
  for (const column of columns)
    for (const field of fieldsNamed(column).keys())
      if (VEHICLE_FIELDS.some((one) => one === field)) found.add(field);
  return found.size;
}

/** Least characters in common, as a share, that make two names near. */
const NEAR = 0.5;

/** Pairs of neighboring characters. */
const pairsOf = (name: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)));

/** The name that is written most alike; undefined without a near one. */
export function nearestName(name: string, others: readonly string[]): string | undefined {
  const wanted = pairsOf(plainName(name));
  const rated = others.map((other) => {
    const pairs = pairsOf(plainName(other));
    const common = [...wanted].filter((pair) => pairs.has(pair)).length;
    return { other, alike: (2 * common) / Math.max(1, wanted.size + pairs.size) };
  });
  const [best] = rated.sort((a, b) => b.alike - a.alike);
  return best && best.alike >= NEAR ? best.other : undefined;
}
