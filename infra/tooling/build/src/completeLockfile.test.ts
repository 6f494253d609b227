import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  addIntegrity,
  addMissingPlatforms,
  type Lockfile,
  platformOf,
  unverifiedPackages,
} from './completeLockfile.ts';

const own = JSON.parse(
  readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
) as Lockfile;

const lockfile: Lockfile = {
  packages: {
    '': {},
    'node_modules/compiler': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        'compiler-darwin-arm64': '2.0.0',
        'compiler-linux-x64-gnu': '2.0.0',
        fsevents: '~2.3.2',
      },
    },
    'node_modules/compiler-linux-x64-gnu': { version: '2.0.0', os: ['linux'], cpu: ['x64'], optional: true },
    'node_modules/zebra': { version: '1.0.0' },
  },
};

describe('addIntegrity', () => {
  const HASH = `sha512-${'A'.repeat(86)}==`;
  const incomplete: Lockfile = {
    packages: {
      '': { version: '1.0.0' },
      shell: { version: '0.1.0' },
      'node_modules/shell': { link: true },
      'node_modules/zebra': { version: '1.0.0', integrity: HASH },
      'node_modules/compiler-linux-x64': { version: '2.0.0', os: ['linux'], optional: true },
      'node_modules/a/node_modules/@scope/compiler-darwin-arm64': { version: '2.1.0', optional: true },
      'node_modules/unknown-win32-x64': { version: '3.0.0', optional: true },
    },
  };

  it('adds the hashes that the registry has, and asks for nothing else', async () => {
    const calls: string[] = [];
    const { lockfile: complete, completed } = await addIntegrity(incomplete, async (name, version) => {
      calls.push(`${name}@${version}`);
      return name.startsWith('unknown') ? undefined : HASH;
    });
    expect(calls).toEqual([
      'compiler-linux-x64@2.0.0',
      '@scope/compiler-darwin-arm64@2.1.0',
      'unknown-win32-x64@3.0.0',
    ]);
    expect(completed).toEqual(calls.slice(0, 2));
    expect(complete.packages).toEqual({
      ...incomplete.packages,
      'node_modules/compiler-linux-x64': { version: '2.0.0', integrity: HASH, os: ['linux'], optional: true },
      'node_modules/a/node_modules/@scope/compiler-darwin-arm64': {
        version: '2.1.0',
        integrity: HASH,
        optional: true,
      },
    });
    expect(Object.keys(complete.packages)).toEqual(Object.keys(incomplete.packages));
  });

  it.each(['sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', '', 'x'])('refuses the hash %j', async (hash) => {
    await expect(addIntegrity(incomplete, () => Promise.resolve(hash))).rejects.toThrow('is no SHA-512');
  });
});

describe('addMissingPlatforms', () => {
  it('adds a missing optional package with the platform that its name contains', () => {
    const { lockfile: complete, added } = addMissingPlatforms(lockfile);
    expect(added).toEqual(['compiler-darwin-arm64@2.0.0']);
    expect(complete.packages['node_modules/compiler-darwin-arm64']).toEqual({
      version: '2.0.0',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      optional: true,
    });
    expect(Object.keys(complete.packages).at(-1)).toBe('node_modules/zebra');
  });

  it('changes nothing when it runs again', () => {
    const { lockfile: complete } = addMissingPlatforms(lockfile);
    expect(addMissingPlatforms(complete)).toEqual({ lockfile: complete, added: [] });
  });

  it('nests a second version of a package below its dependent', () => {
    const nested: Lockfile = {
      packages: {
        ...lockfile.packages,
        'node_modules/compiler-darwin-arm64': { version: '1.0.0', optional: true },
      },
    };
    const { packages } = addMissingPlatforms(nested).lockfile;
    expect(packages['node_modules/compiler/node_modules/compiler-darwin-arm64']?.version).toBe('2.0.0');
    expect(packages['node_modules/compiler-darwin-arm64']?.version).toBe('1.0.0');
  });

  it('finds no missing packages in the lockfile of this repository', () => {
    expect(addMissingPlatforms(own).added).toEqual([]);
  });
});

describe('unverifiedPackages', () => {
  it('is empty for the lockfile of this repository', () => {
    expect(unverifiedPackages(own)).toEqual([]);
  });

  it.each([
    ['without a hash', { version: '1.0.0' }],
    ['with a weak hash', { integrity: 'sha1-abc' }],
    ['of a git repository', { integrity: 'sha512-abc', resolved: 'git+ssh://git@evil.example/x.git' }],
    ['of another registry', { integrity: 'sha512-abc', resolved: 'https://registry.evil.example/x.tgz' }],
    ['without a hash, although optional', { optional: true }],
  ])('contains a package %s', (_, entry) => {
    expect(unverifiedPackages({ packages: { 'node_modules/x': entry } })).toEqual(['node_modules/x']);
  });
});

it('installs no package that needs its install script, because none is run', () => {
  const scripts = Object.entries(own.packages).flatMap(([path, entry]) =>
    'hasInstallScript' in entry ? [path] : [],
  );
  // They have prebuilt files or other fallbacks; the drivers are those of browsers that no test uses.
  expect(scripts).toEqual(
    ['@parcel/watcher', '@swc/core', 'edgedriver', 'esbuild', 'geckodriver'].map(
      (name) => `node_modules/${name}`,
    ),
  );
});

describe('platformOf', () => {
  it.each([
    ['@swc/core-linux-s390x-gnu', { os: ['linux'], cpu: ['s390x'], libc: ['glibc'] }],
    ['@unrs/resolver-binding-linux-arm-musleabihf', { os: ['linux'], cpu: ['arm'], libc: ['musl'] }],
    ['@nx/nx-win32-arm64-msvc', { os: ['win32'], cpu: ['arm64'] }],
    ['@rspack/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', undefined],
    ['left-pad', undefined],
  ])('derives the platform of %s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });
});
