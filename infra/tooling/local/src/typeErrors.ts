import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { REPOSITORY } from './repository.ts';

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
/** 'mfe-results/src/x.tsx(3,5): error TS2322: …' */
const ERROR = /^(\S.*)\((\d+),(\d+)\): error (TS\d+: .*)$/;
const DONE = /Found (\d+) errors?\. Watching for file changes/;

/**
 * Checks the types of some packages in a second process whenever a source changes, with the lowest priority: builds don't wait for
 * it. Prints new errors, and when there are none left.
 */
export function watchTypes(
  packages: readonly string[],
  { folder, print }: { readonly folder: string; readonly print: (line: string) => void },
): { close(): void } {
  mkdirSync(folder, { recursive: true });
  const project = join(folder, 'tsconfig.json');
  const from = (path: string) => relative(folder, join(REPOSITORY, path)).replaceAll('\\', '/');
  const config = {
    extends: from('tsconfig.json'),
    compilerOptions: {
      tsBuildInfoFile: './types.tsbuildinfo',
      types: ['node'],
      typeRoots: [from('node_modules/@types')],
    },
    include: [...packages.map((name) => from(`${name}/src`)), from('infra/tooling/build/types')],
    exclude: ['**/*.test.ts', '**/*.test.tsx'],
  };
  writeFileSync(project, JSON.stringify(config));
  const child = spawn(
    process.execPath,
    [TSC, '--noEmit', '--watch', '--preserveWatchOutput', '-p', project],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let errors: string[] = [];
  let printed: readonly string[] = [];
  createInterface({ input: child.stdout }).on('line', (colored) => {
    const line = stripVTControlCharacters(colored);
    const [, file, row, column, text] = ERROR.exec(line) ?? [];
    if (file !== undefined) errors.push(`${file}:${row}:${column}: ${text}`);
    if (!DONE.test(line)) return;
    for (const error of errors) if (!printed.includes(error)) print(`Type error: ${error}`);
    if (errors.length === 0 && printed.length > 0) print('No type errors left.');
    [printed, errors] = [errors, []];
  });
  return { close: () => void child.kill() };
}
