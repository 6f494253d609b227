import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRelease } from '@forecourt/build/buildRelease';

const HERE = dirname(fileURLToPath(import.meta.url));
export const FIXTURES = resolve(HERE, '../fixtures');

/**
 * Builds all broken remotes, or the named ones. The suite does this once, before its first test.
 * Folders without a package, such as `hostile`, hold single files that need no build.
 */
export async function buildFixtures(names?: readonly string[]): Promise<void> {
  for (const name of readdirSync(FIXTURES)) {
    const isRemote = existsSync(join(FIXTURES, name, 'package.json'));
    if (isRemote && (names?.includes(name) ?? true)) await buildRelease(join(FIXTURES, name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildFixtures();
