import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** One entry of `packages` in package-lock.json; other fields are copied unchanged. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Where it was downloaded from; npm leaves it out for packages of the configured registry. */
  readonly resolved?: string;
  /** A workspace. */
  readonly link?: boolean;
  readonly os?: readonly string[] | string;
  readonly cpu?: readonly string[] | string;
  readonly libc?: readonly string[];
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const SYSTEMS = new Set(['aix', 'android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32']);
const PROCESSORS = new Set(['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']);

/** The platform in a native package's name, e.g. '@swc/core-linux-x64-musl'; undefined when there is none. */
export function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> | undefined {
  const words = (name.split('/').at(-1) ?? '').split('-');
  const os = words.find((word) => SYSTEMS.has(word));
  const cpu = words.find((word) => PROCESSORS.has(word));
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : os === 'linux' && words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { cpu: [cpu], ...(libc ? { libc: [libc] } : {}), ...(os ? { os: [os] } : {}) };
}

/** The places where Node looks for `name` from the package at `path`, nearest first. */
function* placesOf(path: string, name: string): Generator<string> {
  for (let base = path; ;) {
    yield `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (base === '') return;
    const parent = base.lastIndexOf('node_modules/');
    base = parent <= 0 ? '' : base.slice(0, parent - 1);
  }
}

/**
 * Adds the platform packages that an npm registry did not offer when the
 * lockfile was written. Without them `npm ci` rejects the lockfile ("Missing: …
 * from lock file") on every platform. The entries have no integrity, because
 * the packages were never downloaded. Only exact versions are added.
 */
export function addMissingPlatforms(lockfile: Lockfile): { lockfile: Lockfile; added: string[] } {
  const packages: Record<string, LockedPackage> = { ...lockfile.packages };
  const added: string[] = [];
  for (const [path, owner] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const places = [...placesOf(path, name)];
      if (places.some((place) => packages[place]?.version === version)) continue;
      const platform = platformOf(name);
      if (!platform || !/^\d+\.\d+\.\d+\S*$/.test(version)) continue;
      const isFound = places.some((place) => packages[place] !== undefined);
      const place = (isFound ? places[0] : places.at(-1)) ?? `node_modules/${name}`;
      const { cpu, libc, os } = platform;
      packages[place] = {
        version,
        ...(cpu ? { cpu } : {}),
        ...(owner.dev ? { dev: true } : {}),
        ...(libc ? { libc } : {}),
        optional: true,
        ...(os ? { os } : {}),
      };
      added.push(`${name}@${version}`);
    }
  }
  if (added.length === 0) return { lockfile, added };
  // npm sorts by path as localeCompare does; keeping its order keeps the diff small.
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lockfile: { ...lockfile, packages: Object.fromEntries(sorted) }, added };
}

/**
 * Packages whose content `npm ci` would not verify, or would take from elsewhere than the registry: without a SHA-512, or
 * with an address of their own (git, http, a file). Platform packages that were never downloaded have no hash; npm installs
 * them only on their platform.
 */
export const unverifiedPackages = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([path, { link, integrity, resolved, optional }]) => {
      if (link || !path.includes('node_modules/')) return false;
      const isHashed =
        integrity === undefined
          ? optional === true && platformOf(path) !== undefined
          : /^sha512-/.test(integrity);
      return !isHashed || resolved !== undefined;
    })
    .map(([path]) => path);

/**
 * Completes the hashes of platform packages. `lookUp` asks a registry that has them; what it does not know stays as it is.
 * @throws Error for a hash that is no SHA-512
 */
export async function addIntegrity(
  { packages, ...lockfile }: Lockfile,
  lookUp: (name: string, version: string) => Promise<string | undefined>,
): Promise<{ lockfile: Lockfile; completed: string[] }> {
  const completed: string[] = [];
  const entries: [string, LockedPackage][] = [];
  for (const [path, locked] of Object.entries(packages)) {
    const { version, integrity, link } = locked;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isMissing =
      path.includes('node_modules/') && !link && integrity === undefined && version !== undefined;
    const found = isMissing ? await lookUp(name, version) : undefined;
    if (found === undefined) {
      entries.push([path, locked]);
      continue;
    }
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(found))
      throw new Error(`${name}@${version}: ${found} is no SHA-512`);
    completed.push(`${name}@${version}`);
    entries.push([path, { version, integrity: found, ...locked }]);
  }
  return { lockfile: { ...lockfile, packages: Object.fromEntries(entries) }, completed };
}

async function lookUpByNpm(name: string, version: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity']);
    return stdout.trim() || undefined;
  } catch {
    // The registry does not have it.
    return undefined;
  }
}

const FILE = resolve(import.meta.dirname, '../../../../package-lock.json');
const readLockfile = (): Lockfile => JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile;

async function completeIntegrity(): Promise<void> {
  const { lockfile, completed } = await addIntegrity(readLockfile(), lookUpByNpm);
  if (completed.length > 0) writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
  process.stdout.write(`package-lock.json: ${completed.length} hashes added\n`);
}

function main(): void {
  const { lockfile, added } = addMissingPlatforms(readLockfile());
  const unverified = unverifiedPackages(lockfile);
  if (unverified.length > 0) {
    process.stderr.write(
      `package-lock.json: without a hash, or not of the registry: ${unverified.join(', ')}\n`,
    );
    process.exitCode = 1;
  } else if (added.length === 0) {
    process.stdout.write('package-lock.json: complete for every platform\n');
  } else if (process.argv.includes('--check')) {
    process.stderr.write(
      `package-lock.json: ${added.length} platform packages are missing, for example ${added[0]}; run \`npm run lockfile\` and commit the file\n`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
    process.stdout.write(`package-lock.json: ${added.length} platform packages added\n`);
  }
}

// `npm run lockfile` after each change of dependencies; `npm run lockfile -- --check` in `npm test`.
// `--integrity` is what a scheduled workflow runs, where the registry has packages for every platform.
if (import.meta.main) {
  if (process.argv.includes('--integrity')) await completeIntegrity();
  else main();
}
