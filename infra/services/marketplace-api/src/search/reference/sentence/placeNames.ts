import type { PlaceFinder } from '../../../domain/places/index.ts';
import { STATE_CODES } from '../../../domain/places/index.ts';
import { addValues, type Reading } from './reading.ts';
import { FILLERS } from './synonyms.data.ts';

const CODES: ReadonlySet<string> = new Set(STATE_CODES.values());
/** Codes that are also words: a state only after its city. */
const WORDS: ReadonlySet<string> = new Set([
  'in',
  'or',
  'me',
  'hi',
  'ok',
  'oh',
  'id',
  'de',
  'la',
  'pa',
  'ma',
]);

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['nyc', 'New York'],
  ['new york city', 'New York'],
  ['la', 'Los Angeles'],
  ['sf', 'San Francisco'],
  ['dc', 'Washington'],
  ['washington dc', 'Washington'],
  ['philly', 'Philadelphia'],
  ['vegas', 'Las Vegas'],
  ['nola', 'New Orleans'],
  ['slc', 'Salt Lake City'],
  ['dfw', 'Dallas'],
  ['dallas fort worth', 'Dallas'],
  ['dallas ft worth', 'Dallas'],
  ['okc', 'Oklahoma City'],
  ['indy', 'Indianapolis'],
  ['atl', 'Atlanta'],
  ['chi town', 'Chicago'],
  ['chitown', 'Chicago'],
  ['bay area', 'San Francisco'],
  ['twin cities', 'Minneapolis'],
  ['kc', 'Kansas City'],
  ['h town', 'Houston'],
  ['st pete', 'Saint Petersburg'],
]);

/** Words of the longest name of a city. */
const MAX_NAME_WORDS = 4;
/** After these words a place follows; after 'in' it must be a well-known one, because 'in white' is a color. */
const SURE = new Set(['near', 'around', 'by', 'of', 'from', 'at', 'outside']);
/** Words before the name of a place: 'the greater Atlanta area'. */
const AREA_WORDS = new Set([
  'the',
  'metro',
  'downtown',
  'greater',
  'central',
  'north',
  'south',
  'east',
  'west',
]);
const NEARBY = new Set(['near', 'around', 'outside']);

const stateOf = (words: readonly string[]): string | undefined => {
  const name = words.join(' ');
  return STATE_CODES.get(name) ?? (CODES.has(name.toUpperCase()) ? name.toUpperCase() : undefined);
};

interface FoundPlace {
  /** Number of words that name it. */
  readonly length: number;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
}

const spelledOut = (name: string): string =>
  name.replace(/^st /, 'saint ').replace(/^ft /, 'fort ').replace(/^mt /, 'mount ');

/** The longest place that the words begin with: a ZIP code, a city with or without its state, or a state. */
function placeAt(
  words: readonly string[],
  places: PlaceFinder,
  { isNearby, isBare }: { readonly isNearby: boolean; readonly isBare: boolean },
): FoundPlace | undefined {
  const [first = ''] = words;
  if (/^\d{5}$/.test(first)) return places.byZip(first) && { length: 1, zip: first };
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length > 0; length--) {
    const typed = words.slice(0, length).join(' ');
    const name = spelledOut(NICKNAMES.get(typed) ?? typed).toLowerCase();
    const rest = words.slice(length).filter((word, at) => at > 0 || word !== '|');
    const skipped = words[length] === '|' ? 1 : 0;
    for (const stateWords of [2, 1]) {
      const state = stateOf(rest.slice(0, stateWords));
      const place = state && places.byCity(name, state);
      // 'Phoenix or anywhere' is no town in Oregon.
      const isWord = WORDS.has(rest[0]!) && stateWords === 1 && (rest[1] ?? '|') !== '|' && !skipped;
      if (place && !isWord && rest.length >= stateWords)
        return { length: length + skipped + stateWords, city: place.city, state: place.state };
    }
    const state =
      STATE_CODES.get(typed) ?? (length === 1 && !WORDS.has(typed) && !isBare ? stateOf([typed]) : undefined);
    const city = places.byName(name, isNearby ? 'any' : isBare ? 'metro' : 'known');
    // 'New York' and 'Washington' are cities first.
    if (city) return { length, city: city.city, state: city.state };
    if (state) return { length, state };
  }
  return undefined;
}

function take(reading: Reading, { city, state, zip }: FoundPlace): void {
  if (zip) addValues(reading, 'zip', [zip]);
  if (city) addValues(reading, 'city', [city]);
  if (state) addValues(reading, 'state', [state]);
}

const hasPlace = ({ filters }: Reading): boolean =>
  filters.has('zip') || filters.has('city') || filters.has('state');

/**
 * Takes the place out of the sentence: after a preposition, or a ZIP code anywhere. `isName` says which words have
 * another meaning, `isNegation` which ones exclude what follows. With `isBare`, also a large city without a preposition.
 */
export function readPlace(
  reading: Reading,
  places: PlaceFinder,
  {
    isBare = false,
    isName = () => false as boolean,
    isNegation = () => false as boolean,
  }: { isBare?: boolean; isName?: (word: string) => boolean; isNegation?: (word: string) => boolean } = {},
): void {
  const words = reading.text.split(' ');
  for (let at = 0; at < words.length && !hasPlace(reading); at++) {
    const word = words[at]!;
    const isPreposition = word === 'in' || SURE.has(word);
    // 'within 25 miles of' was taken out with its preposition.
    const isAfterRadius = word === '|' && at === lastRadius(reading, words);
    const isZip = /^\d{5}$/.test(word);
    if (!isPreposition && !isAfterRadius && !isZip && !isBare) continue;
    // 'Not in Florida' is no place to search in.
    if (isNegation(words[at - 1] ?? '')) continue;
    let from = isPreposition || isAfterRadius ? at + 1 : at;
    const isNearby = NEARBY.has(word) || isAfterRadius;
    const options = { isNearby, isBare: !isPreposition && !isAfterRadius };
    let place = placeAt(words.slice(from), places, options);
    while (!place && !options.isBare && AREA_WORDS.has(words[from] ?? ''))
      place = placeAt(words.slice(++from), places, options);
    // 'In white' is a color, 'near home' is here; 'in Colorado' and 'in New York' are places.
    const first = words[from] ?? '';
    const isOther =
      place?.length === 1 && place.city !== undefined && (FILLERS.has(first) || (!isNearby && isName(first)));
    if (!place || isOther) continue;
    take(reading, place);
    words.splice(at, from - at + place.length, '|');
  }
  reading.text = words.join(' ');
}

/** Position of the mark that a distance left behind; -1 without one. */
const lastRadius = ({ filters }: Reading, words: readonly string[]): number =>
  filters.has('searchRadius') ? words.lastIndexOf('|') : -1;
