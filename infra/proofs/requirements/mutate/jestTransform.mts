import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const OWN_FILES = ['instrument.ts', 'mutators.ts'].map((file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8'),
);

/** Tests, their support and declarations are not mutated. */
const UNTOUCHED = /\.test\.tsx?$|\.d\.ts$|\/testing\/|^infra\/(proofs|tooling)\//;

const prepare = (source: string, path: string): string => {
  const file = relative(ROOT, path);
  return UNTOUCHED.test(file) ? source : instrument(file, source).code;
};

type Step<Result> = (source: string, path: string, options: unknown) => Result;

/** The parts of Jest's transformers that the compiler has. */
interface Transformer {
  readonly canInstrument: boolean;
  readonly process: Step<object>;
  readonly processAsync: Step<Promise<object>>;
  readonly getCacheKey: Step<string>;
}

const require = createRequire(import.meta.url);
const compiler = require('../../../tooling/build/src/jestTransform.cjs') as Transformer;

/** The project's transform for Jest, over sources that hold all their mutants. */
const transform: Transformer = {
  ...compiler,
  process: (source, path, options) => compiler.process(prepare(source, path), path, options),
  processAsync: (source, path, options) => compiler.processAsync(prepare(source, path), path, options),
  getCacheKey: (source, path, options) =>
    createHash('sha1')
      .update([compiler.getCacheKey(source, path, options), ...OWN_FILES].join('\0'))
      .digest('hex'),
};

export default transform;
