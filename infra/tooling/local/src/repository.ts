import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing slash. */
export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

/** Folder names of all remotes, sorted. */
export const remoteNames = (): string[] =>
  readdirSync(REPOSITORY)
    .filter((name) => name.startsWith('mfe-') && existsSync(join(REPOSITORY, name, 'package.json')))
    .sort();
