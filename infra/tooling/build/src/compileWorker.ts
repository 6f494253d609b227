import { join, resolve } from 'node:path';
import { compile } from './buildRelease.ts';
import { defineShell } from './defineShell.ts';

// Compiles only the shell's render worker, for tests: `node compileWorker.ts OUTPUT`.
const repository = resolve(import.meta.dirname, '../../../..');
const shell = join(repository, 'shell');
const [, server] = defineShell(shell);
await compile([
  {
    ...server,
    entry: { worker: join(shell, 'src/server/rendering/worker/main.ts') },
    output: { ...server?.output, path: process.argv[2] as string },
    cache: { type: 'filesystem', cacheDirectory: join(repository, '.cache/webpack'), name: 'worker' },
  },
]);
