import { join, resolve } from 'node:path';
import { compile } from './buildRelease.ts';
import { defineReleaseProgram } from './defineShell.ts';

// Compiles only the program that renders a site's releases, for tests: `node compileReleaseProgram.ts OUTPUT ENTRY`.
const repository = resolve(import.meta.dirname, '../../../..');
const [output, entry] = process.argv.slice(2) as [string, string];
const program = defineReleaseProgram(join(repository, 'shell'));
await compile([
  {
    ...program,
    context: join(repository, 'shell'),
    entry: { release: entry },
    output: { ...program.output, path: output },
    cache: {
      type: 'filesystem',
      cacheDirectory: join(repository, '.cache/webpack'),
      name: 'release-program',
    },
  },
]);
