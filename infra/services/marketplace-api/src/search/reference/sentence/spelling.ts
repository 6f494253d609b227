import MiniSearch from 'minisearch';

/** Shorter words are not corrected. */
const CORRECTED_FROM_LENGTH = 4;
/** From this length on, two letters may be wrong instead of one. */
const TWO_ERRORS_FROM_LENGTH = 7;

/** The words of names that a misspelled word may be, the most likely first. */
export type Correct = (word: string) => readonly string[];

const letters = (word: string): string => [...word].sort().join('');
/** Two letters the wrong way round: 'hybird'. */
const isSwapped = (word: string, name: string): boolean =>
  word.length === name.length && letters(word) === letters(name);

/** `weights`: the words of names, with more listings first; Infinity for makes. */
export function createSpelling(
  weights: ReadonlyMap<string, number>,
  ordinaryWords: ReadonlySet<string>,
): Correct {
  const weightOf = (name: unknown) => weights.get(name as string) ?? 1;
  const index = new MiniSearch<{ id: string }>({
    fields: ['id'],
    tokenize: (text) => [text],
    searchOptions: {
      // Between equally similar names, the one with more listings.
      boostDocument: (name) => 1 + Math.min(1, weightOf(name) / 1e6),
    },
  });
  index.addAll(
    [...weights.keys()]
      .filter((name) => name.length >= CORRECTED_FROM_LENGTH && /^[a-z]+$/.test(name))
      .map((id) => ({ id })),
  );
  const near = (word: string, fuzzy: number): string[] =>
    index
      .search(word, { fuzzy })
      .map(({ id }) => id as string)
      // Shoppers rarely mistype the first letter.
      .filter((name) => name[0] === word[0]);
  return (word) => {
    if (word.length < CORRECTED_FROM_LENGTH || !/^[a-z]+$/.test(word)) return [];
    if (ordinaryWords.has(word) || weights.has(word)) return [];
    // A short word with an error may be another word, unless it is a make.
    if (word.length === CORRECTED_FROM_LENGTH)
      return near(word, 1).filter((name) => weightOf(name) === Infinity);
    const farther = near(word, 2).filter(
      (name) => word.length >= TWO_ERRORS_FROM_LENGTH || isSwapped(word, name),
    );
    return [...new Set([...near(word, 1), ...farther])];
  };
}
