import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Change } from './planRemote.ts';
import { addWorkspace } from './lockfile.ts';

/** Replaced in one step, and as a file of its own where it was a hard link. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/**
 * Does in node_modules what `npm install` would do for a workspace without new
 * packages: the link, and the entry by which npm and `npm start` know of it.
 */
function linkWorkspace(root: string, folder: string, packageJson: string): void {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return;
  const { name } = JSON.parse(packageJson) as { name: string };
  const link = join(root, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, folder)), link, 'junction');
  writeWhole(installed, addWorkspace(readFileSync(installed, 'utf8'), folder, packageJson));
}

/** Writes what `planRemote` planned, and links the new workspace where packages are installed. */
export function writeRemote(root: string, folder: string, changes: readonly Change[]): void {
  for (const { path, text } of changes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeWhole(join(root, path), text);
  }
  const packageJson = changes.find(({ path }) => path === `${folder}/package.json`)?.text;
  if (packageJson !== undefined) linkWorkspace(root, folder, packageJson);
}
