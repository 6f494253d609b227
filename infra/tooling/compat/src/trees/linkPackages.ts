import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

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
export function canServe(root: string, older: string): boolean {
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
export function linkPackages(root: string, older: string): void {
  const folders = ['', ...['shell', 'shared-contracts', 'infra/tooling/build'].map((name) => `${name}/`)];
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
