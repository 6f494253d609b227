import { type FilterParam, type FilterValues, normalizeFilters } from '@forecourt/search/criteria';
import MiniSearch from 'minisearch';
import { type Catalog, nameKey } from '../../../domain/catalog.ts';
import type { VehicleNode } from '../../listingIndex/vehicleTree.ts';
import type { PlaceFinder } from '../../../domain/places/index.ts';
import { addValues, plainText, readAmounts, readYear, type Reading } from './amounts.ts';
import { readPlace } from './placeNames.ts';
import { commonPhrases, FILLERS, type Meaning } from './synonyms.data.ts';

type Weighted = VehicleNode & { readonly count: number };

/** What was understood of a sentence. */
export interface ReadSentence {
  /** Filters, with words that were not understood as the keyword. */
  readonly filters: FilterValues;
  /** Number of separate facts that were understood. */
  readonly factCount: number;
  /** Words were corrected, or became the keyword. */
  readonly isGuess: boolean;
}

/** Words of the longest phrase. */
const MAX_PHRASE_WORDS = 5;
/** Shorter words are not corrected. */
const CORRECTED_FROM_LENGTH = 4;
/** From this length on, two letters may be wrong instead of one. */
const TWO_ERRORS_FROM_LENGTH = 7;
/** 'Mazda 3' names a model, '3' alone doesn't. */
const NAMES_MODEL = /[A-Z].|.[A-Z]/;

interface Vocabulary {
  readonly phrases: ReadonlyMap<string, Meaning>;
  /** Trims by model code, then by name. */
  readonly trims: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The phrase that a misspelled word most likely means. */
  readonly correct: (word: string) => Meaning | undefined;
}

/** Phrases for makes, models and trims, by the key of their name: with more listings wins. */
function vehiclePhrases(vehicles: readonly Weighted[], catalog: Catalog) {
  const phrases = new Map<string, { readonly meaning: Meaning; readonly weight: number }>();
  const trims = new Map<string, Map<string, string>>();
  const totals = new Map<string, number>();
  const key = ({ make, model }: VehicleNode) => `${make.code} ${model.code}`;
  for (const node of vehicles) totals.set(key(node), (totals.get(key(node)) ?? 0) + node.count);
  const add = (name: string, meaning: Meaning, weight: number) => {
    const known = phrases.get(name);
    if (!known || known.weight < weight) phrases.set(name, { meaning, weight });
  };
  for (const node of vehicles) {
    const { make, model, trim } = node;
    const weight = totals.get(key(node))!;
    const makeNames = [make.name, ...(catalog.findMake(make.code)?.aliases ?? [])].map(nameKey);
    const ofMake: Meaning = [['makeCode', make.code]];
    const ofModel: Meaning = [...ofMake, ['modelCode', model.code]];
    const modelName = nameKey(model.name);
    for (const name of makeNames) {
      add(name, ofMake, Infinity);
      add(name + modelName, ofModel, weight);
    }
    if (NAMES_MODEL.test(modelName) && !FILLERS.has(model.name.toLowerCase()))
      add(modelName, ofModel, weight);
    if (!trim) continue;
    const trimsOfModel = trims.get(model.code) ?? new Map<string, string>();
    trimsOfModel.set(nameKey(trim.name), trim.code);
    trims.set(model.code, trimsOfModel);
  }
  const makeCodes = new Set(vehicles.map(({ make }) => make.code));
  for (const { makeCode, series } of catalog.models) {
    const make = catalog.findMake(makeCode);
    if (!series || !make || !makeCodes.has(makeCode)) continue;
    const meaning: Meaning = [
      ['makeCode', makeCode],
      ['seriesCode', series.code],
    ];
    const name = nameKey(series.name);
    for (const makeName of [make.name, ...make.aliases]) add(nameKey(makeName) + name, meaning, 0);
    if (NAMES_MODEL.test(name) && !FILLERS.has(series.name.toLowerCase())) add(name, meaning, 0);
  }
  return { phrases, trims };
}

function createVocabulary(vehicles: readonly Weighted[], catalog: Catalog): Vocabulary {
  const named = vehiclePhrases(vehicles, catalog);
  const phrases = new Map<string, Meaning>();
  for (const [phrase, meaning] of commonPhrases())
    if (!phrases.has(nameKey(phrase))) phrases.set(nameKey(phrase), meaning);
  for (const [name, { meaning }] of named.phrases) if (!phrases.has(name)) phrases.set(name, meaning);
  const weightOf = (id: string) => named.phrases.get(id)?.weight ?? 1;
  const index = new MiniSearch<{ id: string; name: string }>({
    fields: ['name'],
    tokenize: (text) => [text],
    searchOptions: {
      fuzzy: (word) => (word.length < TWO_ERRORS_FROM_LENGTH ? 1 : 2),
      // Between equally similar names, the one with more listings.
      boostDocument: (id) => 1 + Math.min(1, weightOf(id as string) / 1e6),
    },
  });
  index.addAll(
    [...phrases.keys()]
      .filter((id) => /^[A-Z]+$/.test(id) && id.length >= CORRECTED_FROM_LENGTH)
      .map((id) => ({ id, name: id.toLowerCase() })),
  );
  return {
    phrases,
    trims: named.trims,
    correct: (word) => {
      // Shoppers rarely mistype the first letter; a short word with an error may be another word, unless it is a make.
      const best = index
        .search(word)
        .map(({ id }) => id as string)
        .find(
          (id) =>
            id.startsWith(word[0]!.toUpperCase()) &&
            (word.length > CORRECTED_FROM_LENGTH || weightOf(id) === Infinity),
        );
      return best === undefined ? undefined : phrases.get(best);
    },
  };
}

/** Replaces phrases by marks, the longest first; `find` says what a phrase means. */
function takePhrases(reading: Reading, find: (key: string) => Meaning | undefined, longest: number): number {
  const words = reading.text.split(/[^a-z0-9+|]+/).filter(Boolean);
  let count = 0;
  for (let at = 0; at < words.length; at++)
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length);
      const meaning = phrase.includes('|') ? undefined : find(nameKey(phrase.join('')));
      if (!meaning) continue;
      for (const [param, ...values] of meaning) addValues(reading, param, values);
      words.splice(at, length, '|');
      count++;
      break;
    }
  reading.text = words.join(' ');
  return count;
}

const isFiller = (word: string): boolean => FILLERS.has(word) || word === '|' || word.length < 2;

/** Corrects single words that mean nothing as they are typed. */
function takeMisspelled(reading: Reading, { correct }: Vocabulary): number {
  const canBeWrong = (word: string) =>
    word.length >= CORRECTED_FROM_LENGTH && /^[a-z]+$/.test(word) && !FILLERS.has(word);
  return takePhrases(
    reading,
    (key) => (canBeWrong(key.toLowerCase()) ? correct(key.toLowerCase()) : undefined),
    1,
  );
}

/** Trims of the models that were found. */
const trimMeaning =
  ({ filters }: Reading, { trims }: Vocabulary) =>
  (key: string): Meaning | undefined => {
    for (const model of filters.get('modelCode') ?? []) {
      const trim = trims.get(model)?.get(key);
      if (trim !== undefined) return [['trimCode', trim]];
    }
    return undefined;
  };

const RANGES = [
  ['minPrice', 'maxPrice'],
  ['startYear', 'endYear'],
] as const;

/** 'Over 50k under 10k': a range the wrong way round is turned, because it would match nothing. */
function toFilters(found: ReadonlyMap<FilterParam, readonly string[]>, keyword: string): FilterValues {
  const filters = new Map(found);
  for (const [low, high] of RANGES) {
    const [min, max] = [filters.get(low), filters.get(high)];
    if (!min || !max || Number(min[0]) <= Number(max[0])) continue;
    filters.set(low, max);
    filters.set(high, min);
  }
  return normalizeFilters({ ...Object.fromEntries(filters), ...(keyword && { keyword: [keyword] }) });
}

/**
 * Reads a plain-language search ('red pickup under 30k near Austin') with the makes, models and trims of the stock.
 * The same sentence always gives the same filters. Words that mean nothing become the keyword.
 */
export function createSentenceReader(
  vehicles: readonly Weighted[],
  { catalog, places, currentYear }: { catalog: Catalog; places: PlaceFinder; currentYear: number },
): (sentence: string) => ReadSentence {
  const vocabulary = createVocabulary(vehicles, catalog);
  const find = (key: string) => vocabulary.phrases.get(key);
  return (sentence) => {
    const reading: Reading = { text: plainText(sentence), filters: new Map() };
    readAmounts(reading, currentYear);
    readPlace(reading, places, { isName: (word) => find(nameKey(word)) !== undefined });
    let factCount = reading.filters.size;
    factCount += takePhrases(reading, find, MAX_PHRASE_WORDS);
    factCount += takePhrases(reading, trimMeaning(reading, vocabulary), MAX_PHRASE_WORDS);
    const before = reading.filters.size;
    readYear(reading);
    readPlace(reading, places, { isBare: true });
    factCount += reading.filters.size - before;
    const corrected = takeMisspelled(reading, vocabulary);
    const keyword = reading.text
      .split(' ')
      .filter((word) => !isFiller(word))
      .join(' ');
    return {
      filters: toFilters(reading.filters, keyword),
      factCount: factCount + corrected,
      isGuess: corrected > 0 || keyword !== '',
    };
  };
}
