import { describe, expect, it } from '@jest/globals';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import semver from 'semver';
import type { TreeFacts } from '../host/runHost.ts';
import { type Guest, isTooLow, judge, judgeBoth, judgeContracts, smallestVersion } from './judge.ts';

const SEARCH = '@forecourt/search';
const STORE = `${SEARCH}/state`;
const file = { integrity: `sha384-${'A'.repeat(64)}`, bytes: 1 };

const facts = (changes: Partial<TreeFacts> = {}): TreeFacts => ({
  contracts: { [SEARCH]: '1.2.0' },
  shared: { react: '19.3.1' },
  exports: { [STORE]: ['usePageState', 'selectIsLoading'] },
  stateKeys: ['session', 'search.listings'],
  sessionKeys: ['wallet', 'flags'],
  placed: { 'mfe-tiny': ['tiny'] },
  schemas: {},
  events: ['search.changed'],
  eventFields: {},
  ...changes,
});
const guest = (changes: Partial<Guest> = {}, manifest: Partial<ReleaseManifest> = {}): Guest => ({
  manifest: {
    schema: 1,
    name: 'mfe-tiny',
    version: '1.0.0',
    contracts: { [SEARCH]: '1.2.0' },
    shared: { react: '^19.0.0' },
    entry: { web: 'web/entry.js', node: 'node/entry.cjs' },
    slots: {
      tiny: {
        expose: './tiny',
        reads: ['session', 'search.listings'],
        loads: false,
        scripts: [],
        styles: [],
      },
    },
    files: { 'web/entry.js': file, 'node/entry.cjs': file },
    ...manifest,
  },
  used: { exports: new Map([[STORE, new Set(['selectIsLoading'])]]), properties: new Set(['wallet']) },
  home: facts(),
  renders: [{ slot: 'tiny', context: 'empty page' }],
  ...changes,
});
const reasonsOf = (host: Partial<TreeFacts>, release = guest()) => judge(release, facts(host)).reasons;

describe('a release in the other tree’s shell', () => {
  it('returns works for a release in an identical shell', () => {
    expect(judge(guest(), facts())).toEqual({ verdict: 'works', renders: 1, reasons: [] });
  });

  it.each([
    ['a renamed state field', { stateKeys: ['session', 'search.vehicles'] }, /^reads search\.listings/],
    ['a dropped field of the session', { sessionKeys: ['flags'] }, /^reads session\.wallet/],
    ['a dropped export', { exports: { [STORE]: ['usePageState'] } }, /^imports selectIsLoading of .*\/state/],
    ['another major of the contract', { contracts: { [SEARCH]: '2.0.0' } }, /^CONTRACT_VERSION/],
    ['a shared library out of range', { shared: { react: '20.0.0' } }, /^SHARED_RANGE/],
  ])('returns broken for %s', (_, host, reason) => {
    expect(judge(guest(), facts(host)).verdict).toBe('broken');
    expect(reasonsOf(host)).toEqual([expect.stringMatching(reason)]);
  });

  it('returns broken when a slot does not render', () => {
    const renders = [{ slot: 'tiny', context: 'empty page', problem: "shows 'NaN' to people" }];
    expect(reasonsOf({}, guest({ renders }))).toEqual(["tiny over empty page shows 'NaN' to people"]);
  });

  it('ignores removed parts that the release never used', () => {
    const used = { exports: new Map([['react', new Set(['useId'])]]), properties: new Set<string>() };
    const manifest = { slots: { tiny: { ...guest().manifest.slots['tiny']!, reads: [] } } };
    const host = { exports: { [STORE]: [] }, stateKeys: [], sessionKeys: [] };
    expect(reasonsOf(host, guest({ used }, manifest))).toEqual([]);
  });

  it('returns waits until a shell has the newer minor version', () => {
    const newer = guest(
      { home: facts({ contracts: { [SEARCH]: '1.3.0' } }) },
      { contracts: { [SEARCH]: '1.3.0' } },
    );
    expect(judge(newer, facts({ stateKeys: [] })).verdict).toBe('waits');
  });

  it("returns waits until a shell shares the release's modules", () => {
    const home = facts({ shared: { react: '19.3.1', [STORE]: '1.2.0' } });
    const sharing = guest({ home }, { shared: { react: '^19.0.0', [STORE]: '^1.0.0' } });
    expect(judge(sharing, facts()).verdict).toBe('waits');
    expect(judge(sharing, home).verdict).toBe('works');
  });

  it('returns waits for a release with a newly placed slot, and broken without a slot it had', () => {
    const host = facts({ placed: { 'mfe-tiny': ['tiny', 'fresh'] } });
    expect(judge(guest(), host).verdict).toBe('waits');
    const dropped = guest({}, { slots: {} });
    expect(judge(dropped, facts()).verdict).toBe('broken');
  });

  it('returns broken when each side waits for the other', () => {
    const waits = { verdict: 'waits', renders: 0, reasons: [] } as const;
    const works = { verdict: 'works', renders: 0, reasons: [] } as const;
    expect(judgeBoth(waits, works).map(({ verdict }) => verdict)).toEqual(['waits', 'works']);
    expect(judgeBoth(waits, waits).map(({ verdict }) => verdict)).toEqual(['broken', 'broken']);
  });
});

describe('judgeContracts', () => {
  const judgeSearch = (older: TreeFacts, newer: TreeFacts) =>
    judgeContracts(older, newer).find(({ name }) => name === SEARCH)!;
  const smaller = facts({ events: [], stateKeys: ['session'] });

  it('reports what breaks releases that were built against the older contract', () => {
    expect(judgeSearch(facts(), smaller).breaking).toEqual([
      'event search.changed is gone',
      'search.listings is gone',
    ]);
  });

  it.each([
    ['a removal', facts(), smaller, '2.0.0'],
    ['an addition', smaller, facts(), '1.3.0'],
    ['no change', facts(), facts(), '1.2.0'],
    ['an addition and a removal', facts({ events: ['search.old'] }), facts(), '2.0.0'],
  ])('finds the smallest version after %s, and refuses a lower one', (_, older, newer, smallest) => {
    const at = (version: string) => judgeSearch(older, { ...newer, contracts: { [SEARCH]: version } });
    expect(smallestVersion(at('1.2.0'))).toBe(smallest);
    expect(isTooLow(at(smallest))).toBe(false);
    expect(isTooLow(at('3.0.0'))).toBe(false);
    for (const version of ['1.2.0', '1.2.9', '1.9.0', '2.0.0'])
      expect([version, isTooLow(at(version))]).toEqual([version, semver.lt(version, smallest)]);
  });
});
