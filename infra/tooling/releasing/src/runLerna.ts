import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// `npm run lerna -- version`, `npm run lerna -- publish from-package`: in the repository around the working folder.
const folder = join(import.meta.dirname, '../lerna');
const program = join(folder, 'node_modules/@lerna-lite/cli/dist/cli.js');

const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(program)) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
run(process.execPath, [program, ...process.argv.slice(2)], process.cwd());
