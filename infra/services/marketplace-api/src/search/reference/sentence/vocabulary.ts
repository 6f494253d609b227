import { type Catalog, nameKey } from '../../../domain/catalog.ts';
import type { VehicleNode } from '../../listingIndex/vehicleTree.ts';
import { type Correct, createSpelling } from './spelling.ts';
import { commonPhrases, FILLERS, type Meaning, NICKNAMES, ORDINARY_WORDS } from './synonyms.data.ts';

export type Weighted = VehicleNode & { readonly count: number };

/** What the words of a sentence can mean, with the makes, models and trims of the stock. */
export interface Vocabulary {
  /** Meaning of a phrase, by the key of its name; empty for what no filter covers. */
  readonly phrases: ReadonlyMap<string, Meaning>;
  /** Trims by model code, then by name. */
  readonly trims: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Makes of each word in the names of trims: 'denali' is GMC's. */
  readonly trimWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly correct: Correct;
}

/** 'Mazda 3' names a model, '3' alone doesn't. */
const NAMES_MODEL = /[A-Z].|.[A-Z]/;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Phrases by the key of their name: with more listings wins. */
class Names {
  readonly phrases = new Map<string, { readonly meaning: Meaning; readonly weight: number }>();
  /** For the correction of misspelled words. */
  readonly words = new Map<string, number>();

  add(name: string, meaning: Meaning, weight: number): void {
    for (const word of wordsOf(name)) this.words.set(word, Math.max(weight, this.words.get(word) ?? 0));
    const known = this.phrases.get(nameKey(name));
    if (!known || known.weight < weight) this.phrases.set(nameKey(name), { meaning, weight });
  }

  /** A name without its make. */
  addAlone(name: string, meaning: Meaning, weight: number): void {
    if (NAMES_MODEL.test(nameKey(name)) && !FILLERS.has(name.toLowerCase())) this.add(name, meaning, weight);
  }
}

/** Makes, models and series of the stock. */
function vehicleNames(vehicles: readonly Weighted[], catalog: Catalog): Names {
  const names = new Names();
  const key = ({ make, model }: VehicleNode) => `${make.code} ${model.code}`;
  const totals = new Map<string, number>();
  for (const node of vehicles) totals.set(key(node), (totals.get(key(node)) ?? 0) + node.count);
  for (const node of vehicles) {
    const { make, model } = node;
    const weight = totals.get(key(node))!;
    const ofModel: Meaning = [
      ['makeCode', make.code],
      ['modelCode', model.code],
    ];
    for (const name of [make.name, ...(catalog.findMake(make.code)?.aliases ?? [])]) {
      names.add(name, [['makeCode', make.code]], Infinity);
      names.add(`${name} ${model.name}`, ofModel, weight);
    }
    names.addAlone(model.name, ofModel, weight);
  }
  const makeCodes = new Set(vehicles.map(({ make }) => make.code));
  for (const { makeCode, series } of catalog.models) {
    const make = catalog.findMake(makeCode);
    if (!series || !make || !makeCodes.has(makeCode)) continue;
    const meaning: Meaning = [
      ['makeCode', makeCode],
      ['seriesCode', series.code],
    ];
    for (const makeName of [make.name, ...make.aliases]) names.add(`${makeName} ${series.name}`, meaning, 0);
    names.addAlone(series.name, meaning, 0);
  }
  return names;
}

function trimsOf(vehicles: readonly Weighted[]): Pick<Vocabulary, 'trims' | 'trimWords'> {
  const trims = new Map<string, Map<string, string>>();
  const trimWords = new Map<string, Set<string>>();
  for (const { make, model, trim } of vehicles) {
    if (!trim) continue;
    const ofModel = trims.get(model.code) ?? new Map<string, string>();
    trims.set(model.code, ofModel.set(nameKey(trim.name), trim.code));
    for (const word of wordsOf(trim.name))
      trimWords.set(word, (trimWords.get(word) ?? new Set<string>()).add(make.code));
  }
  return { trims, trimWords };
}

export function createVocabulary(vehicles: readonly Weighted[], catalog: Catalog): Vocabulary {
  const names = vehicleNames(vehicles, catalog);
  const phrases = new Map<string, Meaning>();
  const words = new Map(names.words);
  const addOnce = (phrase: string, meaning: Meaning) => {
    if (!phrases.has(nameKey(phrase))) phrases.set(nameKey(phrase), meaning);
  };
  for (const [phrase, meaning] of commonPhrases()) {
    addOnce(phrase, meaning);
    for (const word of wordsOf(phrase)) if (!words.has(word)) words.set(word, 1);
  }
  for (const [nicknames, name] of NICKNAMES) {
    const named = names.phrases.get(nameKey(name));
    if (named) for (const nickname of nicknames.split(', ')) addOnce(nickname, named.meaning);
  }
  for (const [name, { meaning }] of names.phrases) if (!phrases.has(name)) phrases.set(name, meaning);
  return { phrases, ...trimsOf(vehicles), correct: createSpelling(words, ORDINARY_WORDS) };
}
