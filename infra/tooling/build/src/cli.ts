import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRelease } from './buildRelease.ts';
import { compile } from './compile.ts';
import { defineShell } from './defineShell.ts';

// Builds the package in the current folder: `npm run build -w mfe-results [-- --version 1.2.3]`.
const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
const directory = process.cwd();
const flag = process.argv.indexOf('--version');
const version = flag > 0 ? process.argv[flag + 1] : undefined;

try {
  if (existsSync(join(directory, 'src/slots')) && !existsSync(join(directory, 'src/server.ts'))) {
    const {
      name,
      version: built,
      files,
    } = await buildRelease(directory, repositoryRoot, version ? { version } : {});
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    process.stdout.write(
      `${name}@${built}: ${Object.keys(files).length} files, ${Math.round(bytes / 1024)} KB\n`,
    );
  } else {
    await compile(defineShell(directory, repositoryRoot));
    process.stdout.write('shell: built\n');
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
