import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkManifest, describeRefusal, providesOf, type Provides } from './gate.ts';
import type { ReleaseManifest } from './manifest.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
const file = (bytes = 1) => ({ integrity, bytes });
const slot = (changes: object = {}) => ({
  expose: './tiny',
  reads: [],
  loads: false,
  scripts: ['web/tiny.js'],
  styles: ['web/tiny.css'],
  ...changes,
});
const manifest = (changes: Partial<ReleaseManifest> = {}): ReleaseManifest => ({
  schema: 1,
  name: 'mfe-tiny',
  version: '1.0.0',
  contracts: { '@forecourt/slots': '1.2.0' },
  shared: { react: '^19.0.0' },
  entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
  slots: { tiny: slot() },
  files: {
    'web/remoteEntry.js': file(),
    'web/tiny.js': file(),
    'web/tiny.css': file(),
    'web/lazy.js': file(),
    'node/remoteEntry.cjs': file(),
  },
  ...changes,
});
const provides: Provides = {
  shared: { react: '19.3.1' },
  contracts: { '@forecourt/slots': '1.4.0', '@forecourt/upstream': '2.0.0' },
  remotes: { 'mfe-tiny': { slots: ['tiny'] } },
  pageSlots: ['vehicle'],
  budgets: {
    remotes: { 'mfe-tiny': { bytes: 1000, reason: 'it is tiny' } },
    preset: { bytes: 60_000, reason: 'for a remote without a budget of its own' },
  },
};
const rulesOf = (changes: Partial<ReleaseManifest>) =>
  checkManifest(manifest(changes), provides).map(({ rule }) => rule);

describe('release gate', () => {
  it('accepts a release whose ranges, contract, slots, files and size fit', () => {
    expect(checkManifest(manifest(), provides)).toEqual([]);
    expect(rulesOf({ contracts: { '@forecourt/slots': '1.4.0' } })).toEqual([]);
  });

  it.each([
    ['a shared module in another version', 'SHARED_RANGE', { shared: { react: '^18.0.0' } }],
    ['a shared module which the shell lacks', 'SHARED_RANGE', { shared: { vue: '*' } }],
    ['a module by the name of an object’s own parts', 'SHARED_RANGE', { shared: { constructor: '*' } }],
    ['a range that is none', 'SHARED_RANGE', { shared: { react: 'newest' } }],
    ['another major of the contract', 'CONTRACT_VERSION', { contracts: { '@forecourt/slots': '2.0.0' } }],
    ['a newer contract than the shell’s', 'CONTRACT_VERSION', { contracts: { '@forecourt/slots': '1.5.0' } }],
    ['a contract which the shell lacks', 'CONTRACT_VERSION', { contracts: { '@forecourt/search': '1.0.0' } }],
    ['a slot that the page places there, and it dropped', 'SLOT_MISSING', { slots: { other: slot() } }],
    [
      'an entry it does not have',
      'FILE_MISSING',
      { entry: { web: 'web/no.js', node: 'node/remoteEntry.cjs' } },
    ],
    [
      'a server entry among the browser’s files',
      'FILE_MISSING',
      { entry: { web: 'web/remoteEntry.js', node: 'web/tiny.js' } },
    ],
    [
      'a script among the server’s files',
      'FILE_MISSING',
      { slots: { tiny: slot({ scripts: ['node/remoteEntry.cjs'] }) } },
    ],
    ['more bytes than agreed', 'SIZE_BUDGET', { files: { ...manifest().files, 'web/tiny.js': file(1_000) } }],
  ])('refuses %s by %s', (_, rule, changes) => {
    expect(rulesOf(changes as Partial<ReleaseManifest>)).toEqual([rule]);
  });

  it('asks only for the contracts that a remote uses', () => {
    // The shell's upstream has another major than the one at which the remote was built.
    expect(rulesOf({ contracts: { '@forecourt/slots': '1.0.0' } })).toEqual([]);
    expect(rulesOf({ contracts: { '@forecourt/slots': '1.0.0', '@forecourt/upstream': '1.0.0' } })).toEqual([
      'CONTRACT_VERSION',
    ]);
  });

  it.each([
    ['2.0.0', undefined],
    ['2.1.0', undefined],
    [
      '1.0.0',
      'install @forecourt/slots 2.1.0, follow node_modules/@forecourt/slots/MIGRATING.md, and build again',
    ],
    ['3.0.0', 'wait until a shell with that contract is deployed, or build against the older one'],
    ['2.2.0', 'wait until a shell with that contract is deployed, or build against the older one'],
    ['newest', "build against the shell's @forecourt/slots, or without it"],
  ] as const)(
    'tells a release that was built for contract %s what to do in a shell with 2.1.0: %s',
    (version, remedy) => {
      const shell = { ...provides, contracts: { '@forecourt/slots': '2.1.0' } };
      const refusals = checkManifest(manifest({ contracts: { '@forecourt/slots': version } }), shell);
      expect(refusals.map((refusal) => refusal.remedy)).toEqual(remedy === undefined ? [] : [remedy]);
    },
  );

  it('takes a development build without a size budget only in a shell of `npm run dev`', () => {
    const build = manifest({ development: true, files: { ...manifest().files, 'web/tiny.js': file(9_000) } });
    expect(checkManifest(build, provides).map(({ rule }) => rule)).toEqual(['DEVELOPMENT_BUILD']);
    expect(checkManifest(build, { ...provides, takesDevelopmentBuilds: true })).toEqual([]);
  });

  it('holds production builds to their size budget, also in a shell of `npm run dev`', () => {
    const build = manifest({ files: { ...manifest().files, 'web/tiny.js': file(9_000) } });
    const refusals = checkManifest(build, { ...provides, takesDevelopmentBuilds: true });
    expect(refusals.map(({ rule }) => rule)).toEqual(['SIZE_BUDGET']);
  });

  it('refuses needs that are no part of the state, also of a slot that no layout places', () => {
    const shell = providesOf({
      shared: provides.shared,
      contracts: provides.contracts,
      state: ['page', 'session', 'search.texts', 'search.alpha'],
      placed: { 'mfe-tiny': ['tiny'] },
      pageSlots: [],
      budgets: provides.budgets,
      mayRead: { tiny: ['search.texts'] },
    });
    const check = (tinyReads: string[], otherReads: string[]) =>
      checkManifest(
        manifest({ slots: { tiny: slot({ reads: tinyReads }), other: slot({ reads: otherReads }) } }),
        shell,
      ).map(({ rule, found }) => `${rule} ${found}`);
    // Teams publish a new slot before the shell that places it.
    expect(check(['search.texts'], ['session', 'page', 'search.alpha'])).toEqual([]);
    expect(check(['search.nonsense'], ['constructor', 'search.texts'])).toEqual([
      'READS_UNKNOWN search.nonsense',
      'READS_UNKNOWN constructor',
    ]);
    expect(check(['session'], [])).toEqual(['READS_NOT_ALLOWED session']);
  });

  it('states expected, found and remedy of every violated rule at once', () => {
    const refusals = checkManifest(
      manifest({ contracts: { '@forecourt/slots': '2.0.0' }, shared: { react: '^18.0.0' } }),
      provides,
    );
    expect(refusals.map(({ rule }) => rule)).toEqual(['SHARED_RANGE', 'CONTRACT_VERSION']);
    expect(describeRefusal(refusals[0]!)).toBe(
      'SHARED_RANGE: expected react 19.3.1 in range, found react ^18.0.0; depend on a range of react that holds 19.3.1: a page has one instance of it',
    );
    for (const refusal of refusals) for (const words of Object.values(refusal)) expect(words).toMatch(/\S/);
  });

  it('counts each file of the first view once, and no lazy files', () => {
    fc.assert(
      fc.property(fc.nat(1_500), fc.nat(1_500), fc.nat(5_000), (entry, script, lazy) => {
        const { files } = manifest();
        const refusedRules = rulesOf({
          slots: { tiny: slot(), twin: slot() },
          files: {
            ...files,
            'web/remoteEntry.js': file(entry),
            'web/tiny.js': file(script),
            'web/lazy.js': file(lazy),
          },
        });
        expect(refusedRules).toEqual(entry + script + 1 > 1_000 ? ['SIZE_BUDGET'] : []);
      }),
    );
  });

  it('counts only the largest page when a slot is the main slot of its own page', () => {
    const files = { ...manifest().files, 'web/tiny.js': file(600), 'web/vehicle.js': file(600) };
    const own = slot({ scripts: ['web/vehicle.js'], styles: [] });
    expect(rulesOf({ files, slots: { tiny: slot(), vehicle: own } })).toEqual([]);
    expect(rulesOf({ files, slots: { tiny: slot(), other: own } })).toEqual(['SIZE_BUDGET']);
  });

  it('refuses exactly the slots that the shell places and the release lacks', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'constructor'));
    fc.assert(
      fc.property(names, names, (exposed, placed) => {
        const slots = Object.fromEntries(exposed.map((name) => [name, slot()]));
        const missing = placed.filter((name) => !exposed.includes(name));
        const refusals = checkManifest(manifest({ slots }), {
          ...provides,
          remotes: { 'mfe-tiny': { slots: placed } },
        });
        expect(refusals.map(({ expected }) => expected.split(/[ ,]/)[1])).toEqual(missing);
      }),
    );
  });
});
