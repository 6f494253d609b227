import type { KeywordSuggestion } from '../http/requests.ts';
import { type SlugReference, decodeQuery } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import MiniSearch from 'minisearch';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { PlaceFinder } from '../places/places.ts';
import { toListingQuery } from '../search/request.ts';
import { keywordEntries, type KeywordEntry } from './keywordEntries.ts';

/** Suggestions per response. */
const MAX_SUGGESTIONS = 8;
/** Longer input is cut. */
const MAX_TERM_LENGTH = 60;
/** Shorter words are completed but not corrected: 'kia' is not 'via'. */
const CORRECTED_FROM_LENGTH = 4;
/** Share of a word's letters that may be wrong. */
const TOLERANCE = 0.25;
/** One or two letters mean a make rather than a feature. */
const FEATURE_BOOST = 0.3;
/** ms between rebuilds; weights may be stale, counts are always fresh. */
const REFRESH_MS = 60_000;

export interface KeywordDeps {
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  readonly reference: () => SlugReference;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** 'F-150' is one word, and 'f150' finds it. */
const tokenize = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=[a-z])-(?=\d)/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Stop words; 'for' may still become 'ford'. */
const FILLERS = new Set([
  'a',
  'and',
  'by',
  'car',
  'cars',
  'for',
  'in',
  'near',
  'sale',
  'the',
  'vehicle',
  'vehicles',
  'with',
]);

type Indexed = KeywordEntry & { readonly id: number };

function buildIndex(entries: readonly KeywordEntry[]) {
  const byId: readonly Indexed[] = entries.map((entry, id) => ({ ...entry, id }));
  const heaviest = entries.reduce((most, { weight }) => Math.max(most, weight), 1);
  const search = new MiniSearch<Indexed>({
    fields: ['label', 'aliases'],
    tokenize,
    processTerm: (term) => (FILLERS.has(term) ? null : term),
    searchOptions: {
      processTerm: (term) => (term !== 'for' && FILLERS.has(term) ? null : term),
      prefix: true,
      fuzzy: (term) => (term.length >= CORRECTED_FROM_LENGTH && !/^\d+$/.test(term) ? TOLERANCE : false),
      maxFuzzy: 2,
      combineWith: 'AND',
      boost: { label: 2 },
      // Between equal matches, the one with more listings ranks higher.
      boostDocument: (id) => {
        const { weight, filters } = byId[id as number]!;
        return (1 + 2 * Math.sqrt(weight / heaviest)) * (filters['featureCode'] ? FEATURE_BOOST : 1);
      },
    },
  });
  search.addAll(byId);
  return (term: string): Indexed[] => {
    const found = search.search(term).map(({ id }) => byId[id as number]!);
    // Labels that start with the input come first: 'fo' is 'Ford' rather than 'Four-Wheel Drive'.
    const typed = tokenize(term).join(' ');
    const begins = ({ label }: Indexed) => tokenize(label).join(' ').startsWith(typed);
    return [
      ...found.filter(begins).sort((a, b) => b.weight - a.weight),
      ...found.filter((entry) => !begins(entry)),
    ];
  };
}

/** Link to the prices, trims and reviews of a model (B4-KEY-01). */
function contentOf(entry: KeywordEntry, reference: SlugReference): KeywordSuggestion[] {
  const { makeCode, modelCode, trimCode } = entry.filters;
  if (!makeCode || !modelCode || trimCode) return [];
  const path = encodeUrl(
    { filters: { makeCode, modelCode }, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
    reference,
  );
  return [
    {
      label: `${entry.label}: prices, trims and reviews`,
      kind: 'content',
      url: `${path}#model-reference-container`,
    },
  ];
}

/**
 * Suggestions for typed words (B7-KEY-01), tolerant of typos ('toyta camri').
 * Counts are those of the place in the query; suggestions without results are
 * left out.
 */
export function createKeywordSuggestions(deps: KeywordDeps) {
  let built: { at: number; find: (term: string) => Indexed[] } | undefined;
  const find = (term: string) => {
    if (!built || deps.now() - built.at > REFRESH_MS)
      built = { at: deps.now(), find: buildIndex(keywordEntries(deps.index.vehicles(), deps.catalog)) };
    return built.find(term);
  };

  return (typed: string, params: URLSearchParams): KeywordSuggestion[] => {
    const { zip, searchRadius } = decodeQuery(params).filters;
    const where = { ...(zip && { zip }), ...(searchRadius && { searchRadius }) };
    const suggestions: KeywordSuggestion[] = [];
    let content: KeywordSuggestion[] = [];
    for (const entry of find(typed.slice(0, MAX_TERM_LENGTH))) {
      if (suggestions.length >= MAX_SUGGESTIONS) break;
      const count = deps.index.count(toListingQuery({ ...entry.filters, ...where }, deps.places));
      if (count === 0) continue;
      const filters = Object.fromEntries(
        Object.entries(entry.filters).map(([name, values]) => [name, [...values]]),
      );
      suggestions.push({ label: entry.label, kind: 'filters', filters, count });
      if (content.length === 0) content = contentOf(entry, deps.reference());
    }
    return [...suggestions.slice(0, MAX_SUGGESTIONS - content.length), ...content];
  };
}
