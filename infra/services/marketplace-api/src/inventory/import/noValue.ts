import { NO_VALUE_WORDS, NO_VALUE_WORDS_OF_FIELDS } from './noValue.data.ts';

const escaped = (word: string): string =>
  word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll('_', '[\\s_-]?');
const alternatives = (words: string): string =>
  words
    .split(' ')
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
const ANYWHERE = Object.values(NO_VALUE_WORDS).join(' ');

/** Nothing but signs, or one of the words, perhaps in brackets. */
const patternOf = (words: string): RegExp =>
  new RegExp(`^(?:[\\s\\p{P}\\p{S}]*|[\\s([{<"'*_-]*(?:${alternatives(words)})[\\s)\\]}>"'*._-]*)$`, 'iu');

const ANY_FIELD = patternOf(ANYWHERE);

/** The same character throughout, or characters in their order, such as 12345678: typed to get past a required field. */
function isFiller(identity: string): boolean {
  const characters = identity.replace(/[\s._/-]/g, '').toUpperCase();
  if (/^(.)\1*$/.test(characters)) return characters.length > 3 || /^[0X?#*]/.test(characters);
  const isStep = (step: number) =>
    [...characters].every(
      (character, at) =>
        at === 0 || (character.charCodeAt(0) - characters.charCodeAt(at - 1) + 10) % 10 === step,
    );
  return characters.length > 4 && /^(?:\d+|[A-Z]+)$/.test(characters) && (isStep(1) || isStep(9));
}

/** Fields by which a vehicle is known. */
const IDENTITIES: ReadonlySet<string> = new Set(['vin', 'stockNumber']);

/** What a program writes for an object that it can't write. */
const OBJECT = /^\[object\b/i;

/** Returns a function that tells whether a field's text stands for no value. */
export function createNoValueTest(field: string): (text: string) => boolean {
  const own = NO_VALUE_WORDS_OF_FIELDS[field];
  const pattern = own === undefined ? ANY_FIELD : patternOf(`${ANYWHERE} ${own}`);
  const isEmpty = (text: string) => pattern.test(text) || OBJECT.test(text);
  return IDENTITIES.has(field) ? (text) => isEmpty(text) || isFiller(text) : isEmpty;
}

/** Words of machines that concatenate columns: 'Escape NULL'. */
const MARKERS = /(?:^|\s)(?:#N\/A|N\/A|<?NULL>?|\(null\)|null|undefined|NaN|\[object \w*\])(?=\s|$)/g;

/** The text without machines' words for no value between others. */
export const withoutMarkers = (text: string): string =>
  /n\/a|null|undef|nan|\[obj/i.test(text) ? text.replace(MARKERS, '').trim() : text;
