import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Citation, type Requirement, ROOT } from '../coverage.ts';
import { isValid, type Mutant, mutantsOf } from './mutants.ts';
import type { CoveredTest } from './testRuns.ts';

/** A mutant with the tests that reach it. */
export interface Candidate {
  readonly mutant: Mutant;
  readonly tests: readonly CoveredTest[];
}

/** Lower-case words of a text: whole identifiers and their parts, without a plural's ending. */
function wordsOf(text: string): Set<string> {
  const identifiers = text.match(/[A-Za-z][A-Za-z0-9]*|\d{2,}/g) ?? [];
  const parts = identifiers.flatMap((word) => [word, ...word.split(/(?<=[a-z0-9])(?=[A-Z])/)]);
  const words = parts.map((word) => word.toLowerCase().replace(/(?<=\w{3})s$/, ''));
  return new Set(words.filter((word) => word.length >= 2));
}

/** Sums the weights of the words that two texts share, which are higher for words on fewer of the lines. */
function sharedWeight(lines: readonly ReadonlySet<string>[]) {
  const counts = new Map<string, number>();
  for (const words of lines) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (words: ReadonlySet<string>, others: ReadonlySet<string>): number => {
    const both = [...words].filter((word) => others.has(word) && counts.has(word));
    return both.reduce((sum, word) => sum + Math.log(lines.length / counts.get(word)!), 0);
  };
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

export const readMutants = (path: string): Mutant[] => mutantsOf(path, read(path));

/** Whether the file can be parsed with the mutant. */
export const canRun = (mutant: Mutant): boolean => isValid(read(mutant.path), mutant);

/** Words of a mutant's line, of the declarations around it and of its file's name. */
const wordsAround = ({ path, context, source }: Mutant) =>
  wordsOf(`${basename(path).split('.')[0]} ${context} ${source}`);

const unitOf = ({ path, unit }: Mutant) => `${path}#${unit}`;

/** Whether a test reaches a mutant, or its file does while it loads. */
export const isReachedBy = ({ file, units }: CoveredTest, mutant: Mutant): boolean =>
  file.loaded.has(unitOf(mutant)) || units.has(unitOf(mutant));

/** A mutant that few other tests of the file reach belongs to the row, whatever its words. */
function coverageScore(tests: readonly CoveredTest[], mutant: Mutant): number {
  const unit = unitOf(mutant);
  const shares = tests.map(({ file: { loaded, tests: all } }) =>
    loaded.has(unit) ? 1 : all.filter(({ units }) => units.has(unit)).length / all.length,
  );
  return -Math.log(Math.min(...shares));
}

/** Weight of words that only the test has, which also names what it needs for itself. */
const TEST_WORDS = 0.4;
const MUTANTS_PER_LINE = 4;
/** Candidates with less than this part of the best score are about something else. */
const MINIMUM_SHARE = 0.45;

/**
 * Mutants that are specific to a row: reached by the tests that cite it and by few others, in lines that share rare
 * words with the requirement and the tests.
 */
export function selectMutants(
  row: Requirement,
  { citations, tests }: { readonly citations: readonly Citation[]; readonly tests: readonly CoveredTest[] },
  mutants: readonly Mutant[],
  { limit, canRun }: { readonly limit: number; readonly canRun: (mutant: Mutant) => boolean },
): Candidate[] {
  const lines = new Map(mutants.map((mutant) => [`${mutant.path}:${mutant.line}`, mutant]));
  const shared = sharedWeight([...lines.values()].map(wordsAround));
  const rowWords = wordsOf(`${row.requirement} ${row.check}`);
  const testWords = wordsOf(citations.map(({ source }) => source).join(' '));
  const textScore = (words: ReadonlySet<string>) =>
    shared(rowWords, words) + TEST_WORDS * shared(testWords, words);
  const candidates = mutants.flatMap((mutant) => {
    const reaching = tests.filter((test) => isReachedBy(test, mutant));
    if (reaching.length === 0) return [];
    const ownWords = wordsOf(mutant.original);
    // A whole table has the words of all its rows.
    const text = textScore(wordsAround(mutant)) + textScore(ownWords) / Math.sqrt(Math.max(1, ownWords.size));
    return [{ mutant, tests: reaching, score: text + 2 * coverageScore(reaching, mutant) }];
  });
  candidates.sort((a, b) => b.score - a.score || a.mutant.start - b.mutant.start);
  const minimum = (candidates[0]?.score ?? 0) * MINIMUM_SHARE;
  const perLine = new Map<string, number>();
  const chosen = candidates.filter(({ mutant, score }) => {
    const line = `${mutant.path}:${mutant.line}`;
    perLine.set(line, (perLine.get(line) ?? 0) + 1);
    return score >= minimum && (perLine.get(line) ?? 0) <= MUTANTS_PER_LINE;
  });
  const runnable: Candidate[] = [];
  for (const candidate of chosen)
    if (runnable.length < limit && canRun(candidate.mutant)) runnable.push(candidate);
  return runnable;
}
