/** One entry of `packages` in package-lock.json; what is not read here is kept as it is. */
export interface LockedPackage {
  readonly version?: string;
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

/** What a native package's name says about where it runs, e.g. '@swc/core-linux-x64-musl'; undefined when it says nothing. */
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

/** Where Node would look for `name` from the package at `path`, nearest first. */
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
 * lockfile was written. Without them `npm ci` refuses the lockfile ("Missing:
 * … from lock file"), also on platforms that would never install them. Entries
 * have no integrity: no byte of them was seen. Only exact versions are added.
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
