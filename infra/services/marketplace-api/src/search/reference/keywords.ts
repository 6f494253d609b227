import { decodeQuery } from '@forecourt/search/decode';
import type { KeywordSuggestion } from '../../domain/callTypes.ts';
import { chipsOf, createLabels, type LabelOf } from '@forecourt/search/catalog';
import {
  type FilterValues,
  type SlugReference,
  filtersInPlace,
  normalizeFilters,
  withValues,
} from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';
import MiniSearch from 'minisearch';
import type { Catalog } from '../../domain/catalog.ts';
import type { ListingIndex } from '../listingIndex/listingIndex.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import { toListingQuery } from '../listings/request.ts';
import { optionLabel } from '../../domain/labels.ts';
import { relax } from './relax.ts';
import { describeSearch } from './sentence/describeSearch.ts';
import { createSentenceReader, type ReadSentence } from './sentence/readSentence.ts';
import { keywordEntries, type KeywordEntry } from './keywordEntries.ts';

/** Suggestions per response. */
const MAX_SUGGESTIONS = 8;
/** Longer input is cut. */
const MAX_TERM_LENGTH = 120;
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

/** Link to the prices, trims and reviews of a model. */
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

type FiltersSuggestion = Extract<KeywordSuggestion, { kind: 'filters' }>;

/** The chips of filters: 'Red', 'Under $30,000'. */
const labelsOf = (filters: FilterValues, labelOf: LabelOf): string[] =>
  chipsOf({ filters, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] }, { labelOf }).map(
    ({ label }) => label,
  );

const toRecord = (filters: FilterValues): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, [...values]]));

/** Labels of codes; those of series are in the catalog. */
function createLabelOf(filters: FilterValues, reference: SlugReference, catalog: Catalog): LabelOf {
  const known = createLabels({ reference, chosen: filters });
  const seriesName = (code: string) =>
    catalog.models.find(({ series }) => series?.code === code)?.series?.name;
  return (param, value) => {
    const label = (param === 'seriesCode' && seriesName(value)) || optionLabel(param, value);
    return label === value ? known(param, value) : label;
  };
}

/**
 * Suggestions for typed words, tolerant of typos ('toyta camri'), and what they mean as a sentence.
 * Counts are those of the place in the query; suggestions without results are
 * left out.
 */
export function createKeywordSuggestions(deps: KeywordDeps) {
  let built:
    | { at: number; find: (term: string) => Indexed[]; read: (sentence: string) => ReadSentence }
    | undefined;
  const current = async () => {
    if (built && deps.now() - built.at <= REFRESH_MS) return built;
    const { catalog, places } = deps;
    const vehicles = await deps.index.vehicles();
    const currentYear = new Date(deps.now()).getUTCFullYear();
    return (built = {
      at: deps.now(),
      find: buildIndex(keywordEntries(vehicles, catalog)),
      read: createSentenceReader(vehicles, { catalog, places, currentYear }),
    });
  };
  const count = (filters: FilterValues) => deps.index.count(toListingQuery(filters, deps.places));

  /** The words as a search around a place; undefined when they name none. */
  async function interpret(
    { factCount, leftOut, trimWords, guessed, sortBy, filters: read }: ReadSentence,
    where: FilterValues,
  ): Promise<FiltersSuggestion | undefined> {
    if (factCount === 0) return undefined;
    const countIn = async (filters: FilterValues) => count(filtersInPlace(where, filters));
    const withTrims = withValues(read, 'keyword', trimWords.length > 0 ? [trimWords.join(' ')] : []);
    const isNamed = withTrims.keyword !== undefined && (await countIn(withTrims)) > 0;
    const { filters, total, dropped, isWidened } = await relax(isNamed ? withTrims : read, {
      where,
      guessed,
      countIn,
    });
    const unread = isNamed ? leftOut.filter((words) => !trimWords.includes(words)) : leftOut;
    const place = filtersInPlace(where, filters);
    const labelOf = createLabelOf(read, deps.reference(), deps.catalog);
    const reference = deps.reference();
    const meaning = describeSearch({
      filters: place,
      sortBy,
      labelOf,
      makeOf: (model) => reference.makesOfModel(model).map((make) => labelOf('makeCode', make))[0],
      place: deps.places.byZip(place.zip?.[0] ?? ''),
    });
    const droppedFilters = Object.fromEntries(dropped.map((param) => [param, read[param] ?? []]));
    return {
      label: meaning,
      kind: 'filters',
      filters: toRecord(filters),
      count: total,
      sentence: meaning,
      isInterpretation: true,
      ...(sortBy && { sortBy }),
      ...(unread.length > 0 && { leftOut: [...unread] }),
      ...(dropped.length > 0 && { dropped: labelsOf(droppedFilters, labelOf) }),
      ...(isWidened && { isWidened }),
    };
  }

  async function suggest(term: string, where: FilterValues): Promise<KeywordSuggestion[]> {
    const suggestions: FiltersSuggestion[] = [];
    let content: KeywordSuggestion[] = [];
    for (const entry of (await current()).find(term)) {
      if (suggestions.length >= MAX_SUGGESTIONS) break;
      const matches = await count(filtersInPlace(where, entry.filters));
      if (matches === 0) continue;
      const filters = toRecord(entry.filters);
      suggestions.push({ label: entry.label, kind: 'filters', filters, count: matches });
      if (content.length === 0) content = contentOf(entry, deps.reference());
    }
    return [...suggestions.slice(0, MAX_SUGGESTIONS - content.length), ...content];
  }

  return async (typed: string, params: URLSearchParams): Promise<KeywordSuggestion[]> => {
    const term = typed.slice(0, MAX_TERM_LENGTH);
    const where = filtersInPlace(decodeQuery(params).filters, {});
    const suggestions = await suggest(term, where);
    const sentence = (await current()).read(term);
    const interpretation = await interpret(sentence, where);
    if (!interpretation) return suggestions;
    const same = suggestions.find(
      (suggestion) =>
        suggestion.kind === 'filters' && hasSameFilters(suggestion.filters, interpretation.filters),
    );
    const named = { ...interpretation, ...(same && { label: same.label }) };
    // Words that are guessed or left out may be the beginning of others: completions come first.
    if (sentence.guessed.length > 0 || interpretation.leftOut)
      return same
        ? suggestions.map((suggestion) => (suggestion === same ? named : suggestion))
        : [...suggestions.slice(0, MAX_SUGGESTIONS - 1), named];
    const others = suggestions.filter((suggestion) => suggestion !== same);
    return [named, ...others].slice(0, MAX_SUGGESTIONS);
  };
}

const hasSameFilters = (a: FiltersSuggestion['filters'], b: FiltersSuggestion['filters']): boolean => {
  const textOf = (filters: typeof a) =>
    JSON.stringify(Object.entries(normalizeFilters(filters)).sort(([x], [y]) => (x < y ? -1 : 1)));
  return textOf(a) === textOf(b);
};
