import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../repository.ts';
import { instrument } from './instrument.ts';
import { wordsOf, WordWeights, type SourceMutant } from './select.ts';

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
