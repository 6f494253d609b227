import { type FilterParam, type FilterValues, normalizeFilters } from '@forecourt/search/criteria';
import { type Catalog, nameKey } from '../../../domain/catalog.ts';
import type { PlaceFinder } from '../../../domain/places/index.ts';
import { readAmounts, readYear } from './amounts.ts';
import { readMoney, readRoundPrice } from './money.ts';
import { readPlace } from './placeNames.ts';
import { addValues, type Reading, type SortValue, startReading } from './reading.ts';
import {
  FILLERS,
  type Meaning,
  NEGATION_LINKS,
  NEGATIONS,
  ORDINARY_NAMES,
  ORDINARY_WORDS,
} from './synonyms.data.ts';
import { createVocabulary, type Vocabulary, type Weighted } from './vocabulary.ts';

/** What was understood of a sentence. */
export interface ReadSentence {
  readonly filters: FilterValues;
  /** The order that the words ask for. */
  readonly sortBy?: SortValue;
  /** Number of separate facts that were understood. */
  readonly factCount: number;
  /** What no filter covers, in the shopper's words. */
  readonly leftOut: readonly string[];
  /** Those of them that may be part of a trim's name. */
  readonly trimWords: readonly string[];
  /** Parameters that were guessed. */
  readonly guessed: readonly FilterParam[];
}

/** Words of the longest phrase. */
const MAX_PHRASE_WORDS = 6;
/** Words of the longest negation. */
const MAX_NEGATION_WORDS = 3;
/** Words that are named together. */
const MAX_LEFT_OUT_WORDS = 4;
/** A sentence of at most so many words that names 'Escape' means the model. */
const FEW_WORDS = 4;
/** A word of trims of one make alone names them from this length on: 'denali'. */
const TRIM_NAME_LENGTH = 5;

const NEGATION_KEYS: ReadonlySet<string> = new Set(NEGATIONS);
const NEGATION_WORDS: ReadonlySet<string> = new Set(NEGATIONS.filter((phrase) => !phrase.includes(' ')));

type Find = (key: string, words: readonly string[], at: number) => Meaning | undefined;

const take = (reading: Reading, meaning: Meaning): void => {
  for (const [param, ...values] of meaning) {
    if (param === 'sortBy') reading.sortBy = values[0] as SortValue;
    else addValues(reading, param, values);
  }
};

/** Length of the longest phrase at a position, and what it means. */
function phraseAt(words: readonly string[], at: number, find: Find) {
  for (let length = Math.min(MAX_PHRASE_WORDS, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length);
    if (phrase.includes('|')) continue;
    // 'A 4 door' is no Audi A4.
    if (phrase[0] === 'a' && /^\d/.test(phrase[1] ?? '') && words[at - 1] !== 'audi') continue;
    const meaning = find(nameKey(phrase.join('')), words, at);
    if (meaning) return { length, meaning };
  }
  return undefined;
}

/** Replaces phrases by marks, the longest first. Returns their number; what no filter covers doesn't count. */
function takePhrases(
  reading: Reading,
  find: Find,
  lengthOfNegation: (words: readonly string[], at: number) => number = () => 0,
): number {
  const words = splitWords(reading.text);
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    const found = phraseAt(words, at, find);
    const length = found?.length ?? lengthOfNegation(words, at);
    if (length === 0) continue;
    const [phrase] = [words.splice(at, length, '|').join(' ')];
    if (found && found.meaning.length > 0) {
      take(reading, found.meaning);
      count++;
    } else reading.leftOut.push(phrase);
  }
  reading.text = words.join(' ');
  return count;
}

const splitWords = (text: string): string[] => text.split(/[^a-z0-9.+|]+/).filter(Boolean);

/** Words of 'no Nissan or Kia', 'not a cvt' or 'replacing my 2012 Civic' at a position; 0 if there is no negation. */
function negationAt(words: readonly string[], at: number, find: Find): number {
  let end = 0;
  for (let length = MAX_NEGATION_WORDS; length > 0 && end === 0; length--)
    if (NEGATION_KEYS.has(words.slice(at, at + length).join(' '))) end = at + length;
  if (end === 0) return 0;
  const begin = end;
  for (;;) {
    while (end < words.length && (NEGATION_LINKS.has(words[end]!) || /^(19|20)\d\d$/.test(words[end]!)))
      end++;
    const found = end < words.length ? phraseAt(words, end, find) : undefined;
    if (found) end += found.length;
    else {
      const first = end;
      const isUnknown = (word: string | undefined) =>
        word !== undefined &&
        word !== '|' &&
        !FILLERS.has(word) &&
        !NEGATION_WORDS.has(word) &&
        !find(nameKey(word), words, end);
      while (end - first < 2 && isUnknown(words[end])) end++;
      if (end === first) break;
    }
    if (words[end] !== 'or' && words[end] !== 'nor') break;
    end++;
  }
  // 'No.' alone says nothing.
  return end === begin ? 0 : end - at;
}

/** 'Escape' is a model beside its make or a year, or in very few words; otherwise it is an ordinary word. */
function isOrdinary(
  { words, at }: { readonly words: readonly string[]; readonly at: number },
  reading: Reading,
  meaning: Meaning,
) {
  const make = meaning.find(([param]) => param === 'makeCode')?.[1];
  const hasMake = make !== undefined && reading.filters.get('makeCode')?.includes(make);
  const isNearYear = [words[at - 1], words[at + 1]].some((word) =>
    /^((19|20)\d\d|used|new|certified|or)$/.test(word ?? ''),
  );
  return !hasMake && !isNearYear && reading.wordCount > FEW_WORDS;
}

const isFiller = (word: string): boolean => FILLERS.has(word) || word === '|' || word.length < 2;

/** The phrase that a word belongs to. */
function phraseAround(words: readonly string[], at: number, find: Find) {
  for (let start = Math.max(0, at - MAX_PHRASE_WORDS); start <= at; start++) {
    const found = phraseAt(words, start, find);
    if (found && start + found.length > at && found.meaning.length > 0) return { ...found, start };
  }
  return undefined;
}

/** Phrases with one misspelled word: 'grand cheroke'. The correction counts only where it completes a phrase. */
function takeMisspelled(reading: Reading, find: Find, { correct }: Vocabulary): number {
  const words = splitWords(reading.text);
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    if (isFiller(words[at]!)) continue;
    const found = correct(words[at]!)
      .map((right) => phraseAround(words.with(at, right), at, find))
      .find((phrase) => phrase !== undefined);
    if (!found) continue;
    take(reading, found.meaning);
    for (const [param] of found.meaning) if (param !== 'sortBy') reading.guessed.add(param);
    words.splice(found.start, found.length, '|');
    at = found.start;
    count++;
  }
  reading.text = words.join(' ');
  return count;
}

/** Trims of the models that were found. */
const trimMeaning =
  ({ filters }: Reading, { trims }: Vocabulary): Find =>
  (key) => {
    for (const model of filters.get('modelCode') ?? []) {
      const trim = trims.get(model)?.get(key);
      if (trim !== undefined) return [['trimCode', trim]];
    }
    return undefined;
  };

/** The words that are left, those that follow each other together; words of trims apart. */
function leftoversOf({ text }: Reading, isTrim: (word: string) => boolean): string[] {
  const groups: string[][] = [[]];
  for (const word of text.split(' ')) {
    const group = groups.at(-1)!;
    const isOther = group.length > 0 && isTrim(word) !== isTrim(group[0]!);
    if (isFiller(word) || isOther || group.length === MAX_LEFT_OUT_WORDS) groups.push([]);
    if (!isFiller(word)) groups.at(-1)!.push(word);
  }
  return groups.filter(({ length }) => length > 0).map((group) => group.join(' '));
}

/** Whether the word is in names of trims: of the makes that were found, or of one make alone. */
function isTrimWord(word: string, { filters }: Reading, { trimWords }: Vocabulary): boolean {
  const owners = trimWords.get(word);
  const makes = filters.get('makeCode');
  if (!owners) return false;
  if (makes) return makes.some((make) => owners.has(make));
  return owners.size === 1 && word.length >= TRIM_NAME_LENGTH && !ORDINARY_WORDS.has(word);
}

const RANGES = [
  ['minPrice', 'maxPrice'],
  ['startYear', 'endYear'],
] as const;

/** 'Over 50k under 10k': a range the wrong way round is turned, because it would match nothing. */
function toFilters(found: ReadonlyMap<FilterParam, readonly string[]>): FilterValues {
  const filters = new Map(found);
  for (const [low, high] of RANGES) {
    const [min, max] = [filters.get(low), filters.get(high)];
    if (!min || !max || Number(min[0]) <= Number(max[0])) continue;
    filters.set(low, max);
    filters.set(high, min);
  }
  return normalizeFilters(Object.fromEntries(filters));
}

/**
 * Reads a plain-language search ('red pickup under 30k near Austin') with the makes, models and trims of the stock.
 * The same sentence always gives the same filters. What no filter covers, and what is not wanted, is left out.
 */
export function createSentenceReader(
  vehicles: readonly Weighted[],
  { catalog, places, currentYear }: { catalog: Catalog; places: PlaceFinder; currentYear: number },
): (sentence: string) => ReadSentence {
  const vocabulary = createVocabulary(vehicles, catalog);
  const known: Find = (key) => vocabulary.phrases.get(key);
  return (sentence) => {
    const reading = startReading(sentence);
    readAmounts(reading, currentYear);
    readMoney(reading);
    readPlace(reading, places, {
      isName: (word) => known(nameKey(word), [], 0) !== undefined,
      isNegation: (word) => NEGATION_WORDS.has(word),
    });
    const amounts = reading.filters.size;
    const find: Find = (key, words, at) => {
      const meaning = vocabulary.phrases.get(key);
      const isWord = ORDINARY_NAMES.has(key.toLowerCase());
      return meaning && isWord && isOrdinary({ words, at }, reading, meaning) ? undefined : meaning;
    };
    let factCount = amounts + takePhrases(reading, find, (words, at) => negationAt(words, at, known));
    factCount += takePhrases(reading, trimMeaning(reading, vocabulary));
    const before = reading.filters.size;
    readYear(reading);
    readPlace(reading, places, { isBare: true });
    readRoundPrice(reading);
    factCount += reading.filters.size - before;
    factCount += takeMisspelled(reading, find, vocabulary);
    factCount += takePhrases(reading, trimMeaning(reading, vocabulary));
    const isTrim = (word: string) => isTrimWord(word, reading, vocabulary);
    const leftovers = leftoversOf(reading, isTrim);
    const leftOut = [...reading.leftOut, ...leftovers];
    return {
      filters: toFilters(reading.filters),
      ...(reading.sortBy && { sortBy: reading.sortBy }),
      factCount,
      leftOut,
      trimWords: leftovers.filter((words) => words.split(' ').every(isTrim)),
      guessed: [...reading.guessed],
    };
  };
}
