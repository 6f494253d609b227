import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PointerChange } from '@forecourt/release-kit/registryResponses';
import { emptyPointers, type PointerRecord } from '../ports.ts';
import { removableReleases } from './garbage.ts';

const NOW = new Date('2026-06-30T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const release = (version: string, days: number, name = 'sample') => ({
  name,
  version,
  publishedAt: daysAgo(days),
});
const change = (days: number, before: string | null, after: string): PointerChange => ({
  by: 'dana',
  revision: 1,
  at: daysAgo(days),
  remote: 'sample',
  verb: 'promote',
  before: before === null ? null : { live: before },
  after: { live: after },
});
const rules = { keepDays: 30, keepVersions: 0 };
const versions = (
  releases: readonly ReturnType<typeof release>[],
  { pointers = emptyPointers, changes = [] as PointerChange[], keep = rules } = {},
) => removableReleases(releases, pointers, changes, keep, NOW).map(({ version }) => version);

const live = (version: string, canary?: string): PointerRecord => ({
  ...emptyPointers,
  remotes: { sample: { live: version, ...(canary ? { canary: { version: canary, weight: 5 } } : {}) } },
});

describe('removableReleases', () => {
  it('removes old releases without a pointer', () => {
    const releases = [release('1.0.0', 90), release('2.0.0', 80), release('3.0.0', 70), release('4.0.0', 5)];
    expect(versions(releases, { pointers: live('2.0.0', '3.0.0') })).toEqual(['1.0.0']);
  });

  it('keeps releases that were live within keepDays', () => {
    const releases = [release('1.0.0', 400), release('2.0.0', 300), release('3.0.0', 200)];
    // 1.0.0 was live until 10 days ago, when 3.0.0 replaced it; 2.0.0 was replaced long before.
    const changes = [change(10, '1.0.0', '3.0.0'), change(100, '2.0.0', '1.0.0')];
    expect(versions(releases, { pointers: live('3.0.0'), changes })).toEqual(['2.0.0']);
  });

  it('keeps the newest versions and rollback targets', () => {
    const releases = ['1.0.0', '2.0.0', '3.0.0', '10.0.0'].map((version) => release(version, 99));
    const pointers = {
      ...live('3.0.0'),
      history: { sample: [{ version: '1.0.0', replacedAt: daysAgo(90) }] },
    };
    expect(versions(releases, { pointers, keep: { keepDays: 30, keepVersions: 1 } })).toEqual(['2.0.0']);
  });

  it('keeps releases with a current or recent pointer', () => {
    const version = fc.constantFrom('1.0.0', '2.0.0', '3.0.0', '4.0.0');
    fc.assert(
      fc.property(
        version,
        fc.option(version, { nil: undefined }),
        fc.array(fc.tuple(fc.nat(100), version, version), { maxLength: 10 }),
        fc.nat(60),
        fc.nat(4),
        (liveVersion, canary, moves, keepDays, keepVersions) => {
          const removed = versions(
            ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].map((each) => release(each, 200)),
            {
              pointers: live(liveVersion, canary),
              changes: moves.map(([days, from, to]) => change(days, from, to)),
              keep: { keepDays, keepVersions },
            },
          );
          expect(removed).not.toContain(liveVersion);
          expect(removed).not.toContain(canary);
          for (const [days, from, to] of moves)
            if (days < keepDays) for (const used of [from, to]) expect(removed).not.toContain(used);
        },
      ),
    );
  });
});
