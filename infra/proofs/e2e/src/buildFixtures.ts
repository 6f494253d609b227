import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRelease } from '@forecourt/build/buildRelease';

const HERE = dirname(fileURLToPath(import.meta.url));
export const FIXTURES = resolve(HERE, '../fixtures');

/** Builds all broken remotes, or the named ones. The suite does this once, before its first test. */
export async function buildFixtures(names?: readonly string[]): Promise<void> {
  for (const entry of readdirSync(FIXTURES, { withFileTypes: true }))
    if (entry.isDirectory() && (names?.includes(entry.name) ?? true))
      await buildRelease(join(FIXTURES, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildFixtures();
