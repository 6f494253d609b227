import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { REPOSITORY } from './repository.ts';

/** Sources as they are in the working tree, without ignored files. */
const sources = (): string[] =>
  execFileSync('git', ['-C', REPOSITORY, 'ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(REPOSITORY, path)));

/**
 * Links one folder of installed packages into the copy. Links to workspaces and to their programs are relative, so in the
 * copy they lead to the copy's own.
 */
function linkPackages(installed: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(installed)) {
    const path = join(installed, name);
    if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(target, name));
    else if (name === '.bin' || name === '@forecourt') linkPackages(path, join(target, name));
    else symlinkSync(path, join(target, name));
  }
}

/**
 * Copies the repository with its installed packages (as links) to `target`, for tests that edit or move sources.
 * `withBuilds` also copies the builds of the given packages and the build cache, with their times.
 */
export function copyRepository(
  target: string,
  { withBuilds = [] }: { withBuilds?: readonly string[] } = {},
): void {
  const paths = sources();
  for (const path of paths) cpSync(join(REPOSITORY, path), join(target, path), { preserveTimestamps: true });
  const folders = new Set(['.', ...paths.filter((path) => path.endsWith(`${sep}package.json`)).map(dirname)]);
  for (const folder of folders) {
    const installed = join(REPOSITORY, folder, 'node_modules');
    if (existsSync(installed)) linkPackages(installed, join(target, folder, 'node_modules'));
  }
  const built = [
    ...withBuilds.map((name) => join(name, 'dist')),
    ...(withBuilds.length > 0 ? ['.cache'] : []),
  ];
  for (const path of built)
    cpSync(join(REPOSITORY, path), join(target, path), { recursive: true, preserveTimestamps: true });
}
