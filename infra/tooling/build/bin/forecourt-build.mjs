#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `forecourt-build: needs Node 22.18 or newer, this is ${process.version}: install it from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  // The workspace runs the TypeScript source, the published package has only the compiled program.
  const here = dirname(fileURLToPath(import.meta.url));
  const source = join(here, '../src/cli.ts');
  await import(pathToFileURL(existsSync(source) ? source : join(here, '../dist/cli.js')).href);
}
