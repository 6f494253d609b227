import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiHash } from '@forecourt/lint/contractChangelog';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly [field: string]: unknown;
}
type Ranges = Record<string, string>;

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies'] as const;

const readPackage = (file: string): PackageJson => JSON.parse(readFileSync(file, 'utf8')) as PackageJson;
const write = (file: string, content: object) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

/** Sets ranges of packages of the repository to `^` and their version. */
function align(ranges: unknown, versions: ReadonlyMap<string, string>): void {
  for (const [name, range] of Object.entries((ranges ?? {}) as Ranges)) {
    const version = versions.get(name);
    if (version !== undefined && range.startsWith('^')) (ranges as Ranges)[name] = `^${version}`;
  }
}

/**
 * Gives every package of the repository the newest range of the others, and the lock file the same: Lerna changes only packages
 * that it publishes, and npm would look for an outdated range outside of the repository.
 */
export function alignRanges(root: string): void {
  const { workspaces = [] } = readPackage(join(root, 'package.json'));
  const files = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  const packages = new Map(files.map((file) => [file.replaceAll('\\', '/'), readPackage(join(root, file))]));
  const versions = new Map([...packages.values()].map(({ name, version }) => [name, version]));
  const lockFile = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, Record<string, unknown>>;
  };
  for (const [file, content] of packages) {
    const locked = lock.packages[dirname(file)];
    for (const field of FIELDS) {
      align(content[field], versions);
      align(locked?.[field], versions);
    }
    if (locked) locked['version'] = content.version;
    write(join(root, file), content);
  }
  write(lockFile, lock);
}

/**
 * Lerna's entry of a contract's new version, with the hash of its public names, and with what was written by hand below
 * "Unreleased".
 */
export const finishChangelog = (changelog: string, version: string, api: string): string => {
  const heading = new RegExp(`^(#{1,2} \\[?${version.replaceAll('.', '\\.')}\\b.*)$`, 'm');
  if (!heading.test(changelog)) return changelog;
  return changelog
    .replace(heading, (line: string) => (line.includes('(api ') ? line : `${line} (api ${apiHash(api)})`))
    .replace(/^## Unreleased\n+/m, '');
};

/** Whether a migration page says how to come to this version; only a new major needs that. */
export const isDescribed = (migration: string, version: string): boolean =>
  !/\.0\.0$/.test(version) || new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm').test(migration);

function finishChangelogs(root: string): void {
  for (const api of globSync('shared-contracts/*/api.md', { cwd: root })) {
    const folder = join(root, dirname(api));
    const migration = join(folder, 'MIGRATING.md');
    const { name, version: next } = readPackage(join(folder, 'package.json'));
    // The gate names this page to teams whose releases it refuses.
    if (!isDescribed(readFileSync(migration, 'utf8'), next))
      throw new Error(
        `${name} ${next}: describe the way from the older major below '## ${next}' in ${migration}`,
      );
    const file = join(folder, 'CHANGELOG.md');
    if (!existsSync(file)) continue;
    const { version } = readPackage(join(folder, 'package.json'));
    const changelog = readFileSync(file, 'utf8');
    writeFileSync(file, finishChangelog(changelog, version, readFileSync(join(root, api), 'utf8')));
  }
}

// npm's `version` script of the repository: after Lerna has raised versions, before it commits.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.cwd());
  alignRanges(root);
  finishChangelogs(root);
}
