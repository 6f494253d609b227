import { type Citation, type Requirement, ROOT } from '../coverage.ts';
import type { FileCoverage } from './testFiles.ts';
import { type Mutant, instrument } from './instrument.ts';
import type { MutantKey } from './plan.ts';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The mutants of the source files that tests have loaded, read on demand. */
export class Sources {
  readonly #mutants = new Map<string, ReadonlyMap<number, SourceMutant>>();
  readonly weights = new WordWeights();

  /** All mutants of a file by their id. */
  of(path: string): ReadonlyMap<number, SourceMutant> {
    const known = this.#mutants.get(path);
    if (known) return known;
    const { mutants } = instrument(path, readFileSync(join(ROOT, path), 'utf8'));
    const name = basename(path).split('.')[0];
    const entries = mutants.map((mutant): [number, SourceMutant] => [
      mutant.id,
      {
        ...mutant,
        path,
        words: wordsOf(`${name} ${mutant.context} ${mutant.source}`),
        ownWords: wordsOf(mutant.original),
      },
    ]);
    const lines = new Map(entries.map(([, { line, words }]) => [line, words]));
    for (const words of lines.values()) this.weights.addLine(words);
    const byId = new Map(entries);
    this.#mutants.set(path, byId);
    return byId;
  }

  /** The mutants with these keys. */
  find(keys: Iterable<string>): SourceMutant[] {
    return [...keys].flatMap((key) => {
      const end = key.lastIndexOf('#');
      return this.of(key.slice(0, end)).get(Number(key.slice(end + 1))) ?? [];
    });
  }
}

/** A mutant with the words around it. */
export interface SourceMutant extends Mutant, MutantKey {
  /** Words of its line, of the declaration around it and of its file's name. */
  readonly words: ReadonlySet<string>;
  /** Words of the text that it changes. */
  readonly ownWords: ReadonlySet<string>;
}

/** A test that cites the row, with what it reaches. */
export interface CitingTest {
  readonly testFile: string;
  readonly name: string;
  /** Keys of the mutants that it reaches. */
  readonly hits: ReadonlySet<string>;
  readonly citation: Citation;
  readonly coverage: FileCoverage;
}

export interface Candidate {
  readonly mutant: SourceMutant;
  readonly score: number;
  /** Citing tests that reach it, or whose files do while they load. */
  readonly tests: readonly CitingTest[];
}

export const keyOf = ({ path, id }: MutantKey) => `${path}#${id}`;

/** Lower-case words of a text: whole identifiers and their parts, without a plural's ending. */
export function wordsOf(text: string): Set<string> {
  const identifiers = text.match(/[A-Za-z][A-Za-z0-9]*|\d{2,}/g) ?? [];
  const parts = identifiers.flatMap((word) => [word, ...word.split(/(?<=[a-z0-9])(?=[A-Z])/)]);
  const words = parts.map((word) => word.toLowerCase().replace(/(?<=\w{3})s$/, ''));
  return new Set(words.filter((word) => word.length >= 2));
}

/** How rare each word is among the mutants' lines. */
export class WordWeights {
  readonly #counts = new Map<string, number>();
  #lines = 0;

  addLine(words: ReadonlySet<string>): void {
    this.#lines += 1;
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  of(word: string): number {
    const count = this.#counts.get(word);
    return count === undefined ? 0 : Math.log(this.#lines / count);
  }

  /** Sum of the weights of the words that both have. */
  shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
    let sum = 0;
    for (const word of words) if (others.has(word)) sum += this.of(word);
    return sum;
  }
}

/** Share of the tests of a file that reach a mutant; all when it runs while the file loads. */
const share = ({ loaded, tests, reach }: FileCoverage, key: string) =>
  loaded.has(key) ? 1 : (reach.get(key) ?? 0) / tests.length;

/** A mutant that few other tests of the file reach belongs to the row, whatever its words. */
function coverageScore(tests: readonly CitingTest[], key: string): number {
  const shares = tests.map(({ coverage }) => share(coverage, key));
  return shares.length === 0 ? 0 : -Math.log(Math.min(...shares));
}

const isReachedBy = ({ coverage, hits }: CitingTest, key: string) =>
  coverage.loaded.has(key) || hits.has(key);

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
  tests: readonly CitingTest[],
  mutants: readonly SourceMutant[],
  weights: WordWeights,
  limit: number,
): Candidate[] {
  const rowWords = wordsOf(`${row.requirement} ${row.check}`);
  const testWords = wordsOf(tests.map(({ citation }) => citation.source).join(' '));
  const candidates = mutants.flatMap((mutant): Candidate[] => {
    const key = keyOf(mutant);
    const reaching = tests.filter((test) => isReachedBy(test, key));
    if (reaching.length === 0) return [];
    const textScore = (words: ReadonlySet<string>) =>
      weights.shared(rowWords, words) + TEST_WORDS * weights.shared(testWords, words);
    // A whole table has the words of all its rows.
    const precision = Math.sqrt(Math.max(1, mutant.ownWords.size));
    const text = textScore(mutant.words) + textScore(mutant.ownWords) / precision;
    return [{ mutant, tests: reaching, score: text + 2 * coverageScore(reaching, key) }];
  });
  candidates.sort((a, b) => b.score - a.score || keyOf(a.mutant).localeCompare(keyOf(b.mutant)));
  const minimum = (candidates[0]?.score ?? 0) * MINIMUM_SHARE;
  const perLine = new Map<string, number>();
  const chosen = candidates.filter(({ mutant, score }) => {
    const line = `${mutant.path}:${mutant.line}`;
    perLine.set(line, (perLine.get(line) ?? 0) + 1);
    return score >= minimum && (perLine.get(line) ?? 0) <= MUTANTS_PER_LINE;
  });
  return chosen.slice(0, limit);
}
