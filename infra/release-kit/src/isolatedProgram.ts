import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The descriptor that a program writes its result to, as JSON: a release may print. */
export const RESULT = 3;
const LIMIT_MS = 30_000;

/** Folders of installed packages to which this one has links, e.g. in a copy of the repository. */
const linkedFolders = (installed: string): string[] =>
  readdirSync(installed, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && existsSync(join(installed, entry.name)))
    .map(({ name }) => dirname(realpathSync(join(installed, name))))
    .filter((folder) => basename(folder) === 'node_modules');

/** The npm workspace around `directory`, else `directory` itself. */
function workspaceOf(directory: string): string {
  for (let folder = dirname(directory); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && 'workspaces' in (JSON.parse(readFileSync(file, 'utf8')) as object)) return folder;
  }
  return directory;
}

/** The workspaces and installed packages of `directory`; packages may be links to other folders. */
export function packagesOf(directory: string): string[] {
  const folders = [workspaceOf(directory)];
  for (let at = directory; dirname(at) !== at; at = dirname(at)) {
    const installed = join(at, 'node_modules');
    if (existsSync(installed)) folders.push(installed, ...linkedFolders(installed));
  }
  return folders;
}

const refuse = (): never => {
  throw Object.assign(new Error('native code is refused'), { code: 'ERR_ACCESS_DENIED' });
};

/**
 * From now on this process loads no native code, which no permission holds back. An isolated program calls it when its own
 * is loaded, before any code of a release runs.
 */
export function refuseNativeCode(): void {
  Object.defineProperty(process, 'dlopen', { value: refuse, writable: false, configurable: false });
}

/**
 * Runs a program in a process of its own, without environment: modules of a release run code of any package that it depends on.
 * It must neither read secrets or files outside of `folders`, nor write files or start processes. Resolves to what it writes to
 * `RESULT`.
 */
export async function runIsolated(
  program: string,
  args: readonly string[],
  folders: readonly string[],
): Promise<unknown> {
  const permissions = [
    '--permission',
    ...new Set(
      folders.flatMap((path) => [path, realpathSync(path)]).map((path) => `--allow-fs-read=${path}`),
    ),
    // The compiler of the contracts' TSX is one; see `refuseNativeCode`.
    '--allow-addons',
  ];
  const child = spawn(
    process.execPath,
    [...permissions, '--experimental-vm-modules', '--no-warnings', program, ...args],
    { env: { NODE_ENV: 'production' }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'], timeout: LIMIT_MS },
  );
  const [errors, result] = await Promise.all(
    [child.stderr, child.stdio[RESULT]].map((stream) => text(stream as Readable)),
  );
  if (!result) throw new Error(errors?.trim() || 'their process ended');
  return JSON.parse(result);
}
