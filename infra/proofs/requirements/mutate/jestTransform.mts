import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { ROOT } from '../coverage.ts';
import { type Mutant, mutate, withMarkers } from './mutants.ts';

/** Tests, their support and declarations are not mutated. */
const UNTOUCHED = /\.test\.tsx?$|\.d\.ts$|\/testing\/|^infra\/(proofs|tooling)\//;
/** The mutant that is in the sources; without one, they hold markers. */
const mutant = JSON.parse(process.env['MUTANT'] ?? 'null') as Partial<Mutant> | null;
const markers = readFileSync(new URL('mutants.ts', import.meta.url), 'utf8');

function prepare(source: string, path: string): string {
  const file = relative(ROOT, path);
  if (UNTOUCHED.test(file)) return source;
  if (mutant === null) return withMarkers(file, source);
  return mutant.path === file ? mutate(source, mutant as Mutant) : source;
}

type Step<Result> = (source: string, path: string, options: unknown) => Result;
type Transformer = { readonly process: Step<object>; readonly getCacheKey: Step<string> };

const require = createRequire(import.meta.url);
const compiler = require('../../../tooling/build/src/jestTransform.cjs') as Transformer;

/** The project's transform for Jest, over sources with a mutant or with markers. */
const transform: Transformer = {
  process: (source, path, options) => compiler.process(prepare(source, path), path, options),
  getCacheKey(source, path, options) {
    const own =
      mutant === null ? markers : relative(ROOT, path) === mutant.path ? JSON.stringify(mutant) : '';
    return createHash('sha1')
      .update(compiler.getCacheKey(source, path, options))
      .update(own)
      .digest('hex');
  },
};

export default transform;
