import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import { type Bitmap, createBitmap, intersect, unite } from './bitmap.ts';
import type { Documents } from './documents.ts';

const LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(BODY_STYLES).map(([code, { label }]) => [code, label])),
  ...FUEL_GROUPS,
  ...LISTING_TYPE_LABELS,
};

/** Words of a code's label, or of the code itself. */
const wordsOf = (value: string): string[] =>
  (LABELS[value] ?? value)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Filters whose labels are searched. */
export const SEARCHED = ['vehicleStyleCode', 'fuelTypeGroup', 'listingType', 'extColorSimple'] as const;

/** Matches word prefixes and simple plurals: 'trucks', 'hybrids'. */
export const hasWord = (words: readonly string[], keyword: string): boolean => {
  const singular = keyword.length > 3 && keyword.endsWith('s') ? keyword.slice(0, -1) : keyword;
  return words.some((word) => word.startsWith(keyword) || word.startsWith(singular));
};

/** Positions of the values whose label has a word that the keyword begins. */
export const codesFound = (values: readonly string[], keyword: string): number[] =>
  values.flatMap((value, code) => (hasWord(wordsOf(value), keyword) ? [code] : []));

/** The first 8 words of a text. */
export const keywordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .slice(0, 8);

/** out ∪= documents in which every keyword is the prefix of a word of make, model, trim, year, style, fuel, condition or color. */
export function selectKeywords(documents: Documents, keywords: readonly string[], out: Bitmap): void {
  const { vehicle, buckets, singles, capacity } = documents;
  const all = createBitmap(capacity).fill(-1);
  for (const keyword of keywords) {
    const matching = createBitmap(capacity);
    const nodes = vehicle.words.flatMap((words, node) => (hasWord(words, keyword) ? [node] : []));
    vehicle.column.collect(nodes, matching);
    buckets.year.collect(
      buckets.year.values.flatMap((year, code) => (year === keyword ? [code] : [])),
      matching,
    );
    for (const name of SEARCHED) singles[name].collect(codesFound(singles[name].values, keyword), matching);
    intersect(all, matching);
  }
  unite(out, all);
}

/** Share of the keywords found in each vehicle's make, model and trim; index 0 stands for none. */
export function vehicleKeywordShare(documents: Documents, keywords: readonly string[]): Float64Array {
  const { words } = documents.vehicle;
  const share = new Float64Array(words.length + 1);
  words.forEach((own, node) => {
    share[node + 1] = keywords.filter((keyword) => hasWord(own, keyword)).length / keywords.length;
  });
  return share;
}
