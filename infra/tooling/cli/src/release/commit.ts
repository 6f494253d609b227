import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Header of an upload: the commit that the release was built from. */
export const COMMIT_HEADER = 'release-commit';

/** Hash of a commit, with `-dirty` if tracked files had changed since. */
export const commitSchema = z.string().regex(/^[0-9a-f]{40,64}(?:-dirty)?$/, 'must be the hash of a commit');

const run = promisify(execFile);

/** The commit checked out around `directory`; undefined outside a Git repository and without Git. */
export async function commitOf(directory: string): Promise<string | undefined> {
  const git = async (...words: string[]) =>
    (await run('git', ['-C', directory, ...words], { timeout: 10_000 })).stdout.trim();
  try {
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    const commit = `${await git('rev-parse', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
    return commitSchema.safeParse(commit).data;
  } catch {
    // Publishing does not depend on Git.
    return undefined;
  }
}
