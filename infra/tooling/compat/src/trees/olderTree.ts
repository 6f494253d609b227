import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canServe, linkPackages } from './linkPackages.ts';

const run = promisify(execFile);

export type CompatErrorCode = 'UNKNOWN_REF' | 'BUILD_FAILED' | 'INSTALL_FAILED' | 'HOST_FAILED';

/** The comparison failed, so nothing is known about compatibility. */
export class CompatError extends Error {
  override readonly name = 'CompatError';
  readonly code: CompatErrorCode;

  constructor(code: CompatErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

async function git(root: string, ...args: string[]): Promise<string> {
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
export async function findOlder(root: string, revision: string | undefined): Promise<OlderCommit> {
  const label =
    revision ??
    (await git(root, 'describe', '--tags', '--abbrev=0', 'HEAD').catch(() => undefined)) ??
    'HEAD~1';
  try {
    return {
      label,
      commit: await git(root, 'rev-parse', '--verify', '--end-of-options', `${label}^{commit}`),
    };
  } catch {
    throw new CompatError('UNKNOWN_REF', `'${label}' is not a tag or commit of this repository`);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Checks out a commit with its packages in a temporary folder and runs `work`
 * on it; the folder is always removed afterwards.
 * @throws CompatError INSTALL_FAILED
 */
export async function withOlderTree<T>(
  root: string,
  commit: string,
  report: (line: string) => void,
  work: (older: string) => Promise<T>,
): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), 'forecourt-compat-'));
  const older = join(parent, 'tree');
  const remove = async () => {
    await git(root, 'worktree', 'remove', '--force', older).catch(() => git(root, 'worktree', 'prune'));
    rmSync(parent, { recursive: true, force: true });
  };
  const interrupt = () => void remove().then(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    await git(root, 'worktree', 'add', '--detach', '--quiet', older, commit);
    if (canServe(root, older)) linkPackages(root, older);
    else {
      report('its packages differ from those installed here: installing them');
      await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: older, maxBuffer: 64 * 1024 * 1024 }).catch(
        (error: unknown) => {
          const { stderr = '' } = error as { stderr?: string };
          throw new CompatError('INSTALL_FAILED', `npm ci failed for ${commit}:\n${stderr.slice(-2000)}`, {
            cause: error,
          });
        },
      );
    }
    return await work(older);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    await remove();
  }
}
