import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.ts';
import { defineShell } from './defineShell.ts';

// The shell's render worker alone, as its build makes it, for tests: `node compileWorker.ts <output>`.
const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
const shell = join(repositoryRoot, 'shell');
const [, server] = defineShell(shell, repositoryRoot);
await compile([
  {
    ...server,
    entry: { worker: join(shell, 'src/server/rendering/worker/main.ts') },
    output: { ...server?.output, path: process.argv[2] as string },
    cache: { type: 'filesystem', cacheDirectory: join(repositoryRoot, '.cache/webpack'), name: 'worker' },
  },
]);
