import { join, resolve } from 'node:path';
import { compile } from './buildRelease.ts';
import { defineReleaseProgram } from './defineShell.ts';

// Compiles only the program that renders a release, for tests: `node compileReleaseProgram.ts OUTPUT`.
const repository = resolve(import.meta.dirname, '../../../..');
const program = defineReleaseProgram(join(repository, 'shell'));
await compile([
  {
    ...program,
    context: join(repository, 'shell'),
    output: { ...program.output, path: process.argv[2] as string },
    cache: {
      type: 'filesystem',
      cacheDirectory: join(repository, '.cache/webpack'),
      name: 'release-program',
    },
  },
]);
