import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildRelease } from '@forecourt/build/buildRelease';
import { REPOSITORY } from '@forecourt/local';

const FIXTURES = join(REPOSITORY, 'infra/e2e/fixtures');

/** Remotes that misbehave on purpose, and a good twin: they stand beside the end-to-end tests. */
const NEEDED = ['good', 'hangs-in-render', 'hangs-in-load'];

export async function buildFixtures(): Promise<void> {
  for (const name of readdirSync(FIXTURES).filter((entry) => NEEDED.includes(entry)))
    await buildRelease(join(FIXTURES, name), REPOSITORY);
}

/** Folder of a remote's build. */
export const distOf = (remote: string): string => join(REPOSITORY, remote, 'dist');
