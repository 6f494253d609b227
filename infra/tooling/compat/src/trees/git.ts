import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CompatError } from '../compatError.ts';

const run = promisify(execFile);

export async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

export interface OlderCommit {
  readonly commit: string;
  /** For people: 'v1.2.0', 'HEAD~1'. */
  readonly label: string;
}

/**
 * The commit to compare with: the named one, else the newest tag before this
 * commit (the last publication), else the previous commit.
 * @throws CompatError UNKNOWN_REF
 */
export async function findOlder(root: string, named: string | undefined): Promise<OlderCommit> {
  const label =
    named ?? (await git(root, 'describe', '--tags', '--abbrev=0', 'HEAD').catch(() => undefined)) ?? 'HEAD~1';
  try {
    return {
      label,
      commit: await git(root, 'rev-parse', '--verify', '--end-of-options', `${label}^{commit}`),
    };
  } catch {
    throw new CompatError('UNKNOWN_REF', `'${label}' is not a tag or commit of this repository`);
  }
}
