import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Absolute path of the repository, without a trailing slash. */
export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

/** Folder names of all remotes, sorted. */
export const remoteNames = (): string[] =>
  readdirSync(REPOSITORY)
    .filter((name) => name.startsWith('mfe-') && existsSync(join(REPOSITORY, name, 'package.json')))
    .sort();

/** An error whose message says what to do; the troubleshooting page lists the codes. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorCode;

  constructor(code: LocalErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type LocalErrorCode =
  | 'CONFIGURATION_INVALID'
  | 'PORT_TAKEN'
  | 'DATA_DIR_IN_USE'
  | 'DATA_DIR_REFUSED'
  | 'DISK_FULL'
  | 'BUILD_FAILED'
  | 'DATABASE_FAILED'
  | 'PUBLISH_FAILED'
  | 'PROGRAM_MISSING'
  | 'SERVICE_FAILED'
  | 'STOPPED';

/** What a command prints when it fails: code, cause and remedy, or the stack of a bug. */
export const describeFailure = (error: unknown): string =>
  error instanceof LocalError ? `${error.code}: ${error.message}` : String((error as Error).stack);

const DISK_FULL = /\b(ENOSPC|DISK_FULL|STORAGE_FULL|SQLITE_FULL)\b|no space left/i;
const NO_PERMISSION = /\b(EACCES|EPERM|EROFS)\b/;

/** Wraps any error of a step; a full disk and missing permissions get their own codes. */
export function toLocalError(error: unknown, code: LocalErrorCode, place: string): LocalError {
  if (error instanceof LocalError) return error;
  const { message, code: systemCode = '' } = error as NodeJS.ErrnoException;
  const text = `${systemCode} ${message}`;
  if (DISK_FULL.test(text))
    return new LocalError('DISK_FULL', `The disk is full: free some space for ${place} and try again.`);
  if (NO_PERMISSION.test(text))
    return new LocalError(
      'DATA_DIR_REFUSED',
      `No permission to write ${place}: change its owner, or set DATA_DIR to another folder.`,
    );
  return new LocalError(code, message);
}

/** Sources as they are in the working tree, without ignored files. */
const sources = (): string[] =>
  execFileSync('git', ['-C', REPOSITORY, 'ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(REPOSITORY, path)));

/**
 * Links one folder of installed packages into the copy. Links to workspaces and to their programs are relative, so in the
 * copy they lead to the copy's own.
 */
function linkPackages(installed: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(installed)) {
    const path = join(installed, name);
    if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(target, name));
    else if (name === '.bin' || name === '@forecourt') linkPackages(path, join(target, name));
    else symlinkSync(path, join(target, name));
  }
}

/**
 * Copies the repository with its installed packages (as links) to `target`, for tests that edit or move sources.
 * `withBuilds` also copies the builds of the given packages and the build cache, with their times.
 */
export function copyRepository(
  target: string,
  { withBuilds = [] }: { withBuilds?: readonly string[] } = {},
): void {
  const paths = sources();
  for (const path of paths) cpSync(join(REPOSITORY, path), join(target, path), { preserveTimestamps: true });
  const folders = new Set(['.', ...paths.filter((path) => path.endsWith(`${sep}package.json`)).map(dirname)]);
  for (const folder of folders) {
    const installed = join(REPOSITORY, folder, 'node_modules');
    if (existsSync(installed)) linkPackages(installed, join(target, folder, 'node_modules'));
  }
  const built = [
    ...withBuilds.map((name) => join(name, 'dist')),
    ...(withBuilds.length > 0 ? ['.cache'] : []),
  ];
  for (const path of built)
    cpSync(join(REPOSITORY, path), join(target, path), { recursive: true, preserveTimestamps: true });
}

/** Files that differ from `since`, committed or not; by default from where this branch left `main`. */
export async function changedFiles(since?: string, cwd = REPOSITORY): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return stdout.split('\0').filter(Boolean);
  };
  const branches = ['origin/main', 'main'];
  const bases = branches.map((branch) => git('merge-base', 'HEAD', branch).catch(() => undefined));
  const [found] = (await Promise.all(bases)).flatMap((base) => base ?? []);
  const base = since ?? found?.trim();
  if (base === undefined) throw new Error('--changed: no branch main here; name a commit with --since');
  const [differing, untracked] = await Promise.all([
    git('diff', '--name-only', '-z', '--diff-filter=d', base, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set([...differing, ...untracked])].sort();
}

const BROWSER_TEST = /^infra\/proofs\/e2e\/src\/(.+)\.e2e\.ts$/;

/** Browser tests that prove a requirement which this package has or shares, by name. @throws when there are none */
export function browserTestsFor(owner: string, proofs = join(REPOSITORY, 'infra/proofs')): string[] {
  const rows = readFileSync(join(proofs, 'requirements/requirements.tsv'), 'utf8').split('\n');
  const owned = new Set(
    rows
      .map((row) => row.split('\t'))
      .flatMap(([id = '', , owners = '']) => (owners.split('+').includes(owner) ? id : [])),
  );
  const found = readdirSync(join(proofs, 'e2e/src')).flatMap((file) => {
    const [, name] = /^(.+)\.e2e\.ts$/.exec(file) ?? [];
    const cited = [...readFileSync(join(proofs, 'e2e/src', file), 'utf8').matchAll(/^ *\/\/ rows: (.+)$/gm)];
    const isOwned = cited.some(([, ids = '']) => ids.split(', ').some((id) => owned.has(id)));
    return name !== undefined && isOwned ? name : [];
  });
  if (found.length === 0) throw new Error(`--remote: no browser test proves a requirement of '${owner}'`);
  return found;
}

/** Test files with these imports publish, break, write or fuzz something. */
const STACK_IMPORT =
  /from '(?:\.\/(?:isolationLevels|marketplaceStore)\.ts|@forecourt\/harness\/(?:hostileRelease|ownStack|photoFeed|releases|shellReplica|visitors)|fast-check)'/;

/** Browser tests that only open pages, so they may run against any page, and the others, by name. */
export function browserTestsByNeed(proofs = join(REPOSITORY, 'infra/proofs')): {
  readonly anywhere: readonly string[];
  readonly stackOnly: readonly string[];
} {
  const source = join(proofs, 'e2e/src');
  const names = readdirSync(source).flatMap((file) => /^(.+)\.e2e\.ts$/.exec(file)?.[1] ?? []);
  const needsStack = (name: string) =>
    STACK_IMPORT.test(readFileSync(join(source, `${name}.e2e.ts`), 'utf8'));
  return {
    anywhere: names.filter((name) => !needsStack(name)).sort(),
    stackOnly: names.filter(needsStack).sort(),
  };
}

/** Why a browser test doesn't run in the cluster. */
const NOT_IN_CLUSTER = /^\/\/ not in the cluster: (.+)$/m;

/** Browser tests that run in a cluster, and why the others don't, by name. */
export function browserTestsInCluster(proofs = join(REPOSITORY, 'infra/proofs')): {
  readonly inCluster: readonly string[];
  readonly reasons: ReadonlyMap<string, string>;
} {
  const { anywhere, stackOnly } = browserTestsByNeed(proofs);
  const inCluster: string[] = [];
  const reasons = new Map<string, string>();
  for (const name of [...anywhere, ...stackOnly].sort()) {
    const source = readFileSync(join(proofs, 'e2e/src', `${name}.e2e.ts`), 'utf8');
    const [, reason] = NOT_IN_CLUSTER.exec(source) ?? [];
    if (reason === undefined) inCluster.push(name);
    else reasons.set(name, reason);
  }
  return { inCluster, reasons };
}

/** The browser tests among the files, by name. */
export const browserTestsOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => BROWSER_TEST.exec(file)?.[1] ?? []);
