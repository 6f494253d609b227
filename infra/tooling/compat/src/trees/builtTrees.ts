import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Folder names of the remotes of a tree. */
export const remotesOf = (root: string): string[] =>
  readdirSync(root)
    .filter((name) => name.startsWith('mfe-') && existsSync(join(root, name, 'src/slots')))
    .sort();

/**
 * Builds the remotes of `root` with their own scripts into their `dist` folders,
 * two at a time. Earlier builds are taken from `cache`, new ones stored there.
 * @throws CompatError BUILD_FAILED
 */
export async function buildRemotes(
  root: string,
  options: { readonly cache?: string; readonly onBuilt: (name: string) => void },
): Promise<void> {
  const queue = remotesOf(root).values();
  const worker = async (): Promise<void> => {
    for (const name of queue) {
      const dist = join(root, name, 'dist');
      const cached = options.cache === undefined ? undefined : join(options.cache, name);
      if (cached !== undefined && existsSync(join(cached, 'release.json'))) {
        cpSync(cached, dist, { recursive: true });
      } else {
        await build(root, name);
        if (cached !== undefined) {
          mkdirSync(cached, { recursive: true });
          cpSync(dist, cached, { recursive: true });
        }
      }
      options.onBuilt(name);
    }
  };
  await Promise.all([worker(), worker()]);
}

async function build(root: string, name: string): Promise<void> {
  try {
    await run('npm', ['run', '--silent', 'build'], {
      cwd: join(root, name),
      // The tree's own programs come first in the path.
      env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    const tail = `${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n');
    throw new CompatError('BUILD_FAILED', `${join(root, name)} does not build:\n${tail}`, { cause: error });
  }
}

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  /** Folder of a workspace. */
  readonly resolved?: string;
  readonly optional?: boolean;
}
type Packages = Readonly<Record<string, Locked>>;

const packagesOf = (path: string): Packages =>
  (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages;

/** The first package of `locked` that `installed` lacks or has in another version. */
export function firstMismatch(locked: Packages, installed: Packages): string | undefined {
  for (const [path, { version, link, optional }] of Object.entries(locked)) {
    if (!path.includes('node_modules/') || link) continue;
    const installedVersion = installed[path]?.version;
    if (installedVersion !== version && !(optional && installedVersion === undefined)) return path;
  }
  return undefined;
}

/** Whether the packages installed in `root` also satisfy the tree `older`. */
function canServe(root: string, older: string): boolean {
  const installed = join(root, 'node_modules/.package-lock.json');
  return (
    existsSync(installed) &&
    firstMismatch(packagesOf(join(older, 'package-lock.json')), packagesOf(installed)) === undefined
  );
}

/** Copies the relative links, so that programs of workspaces, such as forecourt-build, are the older tree's own. */
function linkPrograms(installed: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(installed)) {
    const link = join(installed, name);
    symlinkSync(lstatSync(link).isSymbolicLink() ? readlinkSync(link) : link, join(target, name));
  }
}

/**
 * Links each package installed in `root` into the tree `older`. Workspaces link to
 * the tree's own folders; one link to all of node_modules would bring the
 * workspaces of `root`.
 */
function linkPackages(root: string, older: string): void {
  const folders = [
    '',
    ...['shell', 'shared-contracts', 'shared-contracts/releases', 'infra/tooling/build'].map(
      (name) => `${name}/`,
    ),
  ];
  for (const folder of folders) {
    const installed = join(root, folder, 'node_modules');
    if (!existsSync(installed) || !existsSync(join(older, folder))) continue;
    const target = join(older, folder, 'node_modules');
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(installed)) {
      if (name === '.bin') linkPrograms(join(installed, name), join(target, name));
      else if (name !== '@forecourt') symlinkSync(join(installed, name), join(target, name));
    }
  }
  const scope = join(older, 'node_modules/@forecourt');
  mkdirSync(scope, { recursive: true });
  for (const [path, { link, resolved }] of Object.entries(packagesOf(join(older, 'package-lock.json')))) {
    const name = /^node_modules\/@forecourt\/(.+)$/.exec(path)?.[1];
    if (name === undefined || !link || resolved === undefined) continue;
    symlinkSync(relative(dirname(join(scope, name)), join(older, resolved)), join(scope, name));
  }
}

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
