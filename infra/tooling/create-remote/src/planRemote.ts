import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Change, planEdit, planTemplate, replaceFile, writeChanges } from './changes.ts';
import { GeneratorError, type RemoteNames } from './names.ts';
import { planPlacement } from './planSlot.ts';

const TEMPLATE = join(import.meta.dirname, '../template');

const LOCKFILE = 'package-lock.json';
export const OWNERS = '.github/CODEOWNERS';

/**
 * CODEOWNERS with an entry for the remote's folder after the other remotes.
 * Later lines win, so it must not stand above a general pattern.
 */
export function addOwner(text: string, folder: string, team: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('/mfe-'));
  // Aligned with the owner of the remote above.
  const column = last < 0 ? 0 : (lines[last] ?? '').indexOf('@');
  const line = `${`/${folder}/`.padEnd(column - 1)} @forecourt/${team}`;
  if (last < 0) return `${text.replace(/\n*$/, '\n')}${line}\n`;
  return lines.toSpliced(last + 1, 0, line).join('\n');
}

const lockfileSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) });

/** Fields of a workspace's package.json that npm repeats in the lockfile. */
const workspaceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * Adds a workspace to a lockfile (the repository's or that of node_modules) as
 * npm would. Its dependencies must be in the lockfile already, like those of
 * every remote: nothing is downloaded.
 */
function addWorkspace(lockJson: string, folder: string, packageJson: string): string {
  const lockfile: unknown = JSON.parse(lockJson);
  const { packages } = lockfileSchema.parse(lockfile);
  const { name, version, license, dependencies, devDependencies } = workspaceSchema.parse(
    JSON.parse(packageJson),
  );
  const entries = {
    ...packages,
    [folder]: { name, version, license, dependencies, devDependencies },
    [`node_modules/${name}`]: { resolved: folder, link: true },
  };
  const sorted = Object.fromEntries(
    Object.entries(entries).sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
  // Spreading the original keeps the order of npm's own keys.
  return `${JSON.stringify({ ...(lockfile as object), packages: sorted }, null, 2)}\n`;
}

const packageJsonOf = (changes: readonly Change[], folder: string): string | undefined =>
  changes.find(({ path }) => path === `${folder}/package.json`)?.text;

/**
 * Everything that a new remote changes in the repository at `root`. Writes
 * nothing.
 * @throws GeneratorError REMOTE_EXISTS, SLOT_TAKEN, REPOSITORY_UNEXPECTED
 */
export async function planRemote(root: string, names: RemoteNames): Promise<Change[]> {
  if (existsSync(join(root, names.remote)))
    throw new GeneratorError('REMOTE_EXISTS', `the folder ${names.remote} exists already`);
  const files = await planTemplate(root, TEMPLATE, names);
  const packageJson = packageJsonOf(files, names.remote) ?? '';
  return [
    ...files,
    await planPlacement(root, names),
    await planEdit(root, OWNERS, (text) => addOwner(text, names.remote, names.team)),
    await planEdit(root, LOCKFILE, (text) => addWorkspace(text, names.remote, packageJson)),
  ];
}

/**
 * Does in node_modules what `npm install` would do for a workspace without new
 * packages: the link, and the entry from which npm and `npm start` know it.
 */
function linkWorkspace(root: string, folder: string, packageJson: string): void {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return;
  const { name } = JSON.parse(packageJson) as { name: string };
  const link = join(root, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, folder)), link, 'junction');
  replaceFile(installed, addWorkspace(readFileSync(installed, 'utf8'), folder, packageJson));
}

/** Writes the planned changes and links the new workspace where packages are installed. */
export function writeRemote(root: string, folder: string, changes: readonly Change[]): void {
  writeChanges(root, changes);
  const packageJson = packageJsonOf(changes, folder);
  if (packageJson !== undefined) linkWorkspace(root, folder, packageJson);
}
