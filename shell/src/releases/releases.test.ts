import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { providedVersions } from '../rendering/sharedScope.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { createInlineRenderer } from '../rendering/inline.ts';
import type { LiveRemotes } from './follower.ts';
import { checkRelease } from './gate.ts';
import { smokeRender } from './smokeRender.ts';
import { bucketOf, chooseSnapshot, isInCanary } from './snapshot.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
function manifest(changes: object = {}) {
  return {
    ...tinyRelease({ tiny: textSlot('x') }).manifest,
    shared: { react: '^19.0.0' },
    files: {
      'web/remoteEntry.js': { integrity, bytes: 1 },
      'node/remoteEntry.cjs': { integrity, bytes: 1 },
      'node/secret.cjs': { integrity, bytes: 1 },
    },
    ...changes,
  };
}
const provided = {
  ...providedVersions(),
  react: '19.3.1',
  '@forecourt/shared-contracts/slots': '1.4.0',
};

describe('the gate', () => {
  it('accepts a release whose ranges, contract and files fit', () => {
    expect(() => checkRelease(manifest(), provided)).not.toThrow();
    expect(() => checkRelease(manifest({ contract: '1.2.7' }), provided)).not.toThrow();
  });

  it.each([
    [
      'a shared module in another version',
      { shared: { react: '^18.0.0' } },
      'needs react ^18.0.0, the shell has 19.3.1',
    ],
    ['a shared module which the shell lacks', { shared: { vue: '*' } }, 'needs vue'],
    [
      'a shared module by the name of an object’s own parts',
      { shared: { constructor: '*' } },
      'needs constructor',
    ],
    ['a range that is none', { shared: { react: 'newest' } }, 'needs react newest'],
    ['another major of the contract', { contract: '2.0.0' }, 'contract 2.0.0'],
    ['a newer contract than the shell’s', { contract: '1.5.0' }, 'contract 1.5.0'],
    [
      'an entry it does not have',
      { entry: { web: 'web/no.js', node: 'node/remoteEntry.cjs' } },
      'names web/no.js',
    ],
    [
      'a server entry among the browser’s files',
      { entry: { web: 'web/remoteEntry.js', node: 'web/remoteEntry.js' } },
      'not for the server',
    ],
    [
      'a script among the server’s files',
      {
        slots: {
          tiny: { expose: './tiny', needs: [], loads: false, scripts: ['node/secret.cjs'], styles: [] },
        },
      },
      'not served to browsers',
    ],
  ])('refuses %s', (_, changes, reason) => {
    expect(() => checkRelease(manifest(changes), provided)).toThrow(reason);
  });

  it('names every reason at once', () => {
    const bad = manifest({ contract: '2.0.0', shared: { react: '^18.0.0' } });
    expect(() => checkRelease(bad, provided)).toThrow(/react.*contract/);
  });
});

describe('the smoke render', () => {
  const smoke = async (source: string, needs?: string[]) => {
    const renderer = createInlineRenderer();
    const release = tinyRelease({ good: textSlot('x'), tested: source }, { ...(needs ? { needs } : {}) });
    await renderer.prepare(release);
    await smokeRender(release, renderer);
  };

  it('accepts slots that can show a page without results', async () => {
    await smoke(
      `defineSlot({ needs: [], load: ({ call }) => call('similar', {}), view: ({ data }) => data.listings.length })`,
    );
  });

  it('refuses a release one of whose slots cannot', async () => {
    await expect(
      smoke(
        `defineSlot({ needs: [], view: () => usePageState((state) => state.search.listings[0].title) })`,
        ['search.listings'],
      ),
    ).rejects.toMatchObject({
      code: 'NOT_ACCEPTED',
      message: expect.stringContaining('cannot render tested') as unknown,
    });
  });
});

describe('the snapshot of a request', () => {
  const stable = tinyRelease({ x: '1' }, { version: '1.0.0' });
  const candidate = tinyRelease({ x: '1' }, { version: '1.1.0' });
  const live = (weight: number, name = 'mfe-tiny'): LiveRemotes =>
    new Map([[name, { live: stable, canary: { release: candidate, weight } }]]);
  const isCanary = (remotes: LiveRemotes, visitor: string, name = 'mfe-tiny') =>
    chooseSnapshot(remotes, visitor).get(name) === candidate;

  it('is the same for one visitor, and nobody leaves a canary when its weight grows', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (visitor, one, other) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)];
          expect(isCanary(live(less), visitor)).toBe(isCanary(live(less), visitor));
          if (isCanary(live(less), visitor)) expect(isCanary(live(more), visitor)).toBe(true);
        },
      ),
    );
  });

  it('gives a canary to nobody at 0 and to all at 100', () => {
    fc.assert(
      fc.property(fc.string(), (visitor) => {
        expect(isCanary(live(0), visitor)).toBe(false);
        expect(isCanary(live(100), visitor)).toBe(true);
      }),
    );
  });

  it('gives a canary of 0 % to none of 100,000 visitors, and errs by 0.3 points at most', () => {
    const buckets = Array.from({ length: 100_000 }, (_, at) => bucketOf(`visitor-${at}`, 'mfe-tiny'));
    const visitors = Array.from({ length: 100_000 }, (_, at) => `visitor-${at}`);
    expect(visitors.filter((visitor) => isInCanary(visitor, 'mfe-tiny', 0))).toEqual([]);
    for (const weight of [0.01, 1, 5, 25, 50, 99.99, 100]) {
      const share = (100 * buckets.filter((bucket) => bucket < weight * 100).length) / buckets.length;
      expect(Math.abs(share - weight)).toBeLessThanOrEqual(0.3);
    }
  });

  it('keeps its whole cohort when a patch release takes the place of the canary', () => {
    const patched = tinyRelease({ x: '1' }, { version: '1.1.1' });
    fc.assert(
      fc.property(fc.uuid(), fc.double({ min: 0, max: 100, noNaN: true }), (visitor, weight) => {
        const after: LiveRemotes = new Map([
          ['mfe-tiny', { live: stable, canary: { release: patched, weight } }],
        ]);
        const wasIn = isCanary(live(weight), visitor);
        expect(chooseSnapshot(after, visitor).get('mfe-tiny') === patched).toBe(wasIn);
      }),
    );
  });

  it('draws for each remote anew, so that not the same visitors meet every canary', () => {
    const visitors = Array.from({ length: 2_000 }, (_, at) => `visitor-${at}`);
    const both = visitors.filter(
      (visitor) =>
        isCanary(live(50, 'mfe-one'), visitor, 'mfe-one') &&
        isCanary(live(50, 'mfe-two'), visitor, 'mfe-two'),
    ).length;
    expect(both / visitors.length).toBeGreaterThan(0.2);
    expect(both / visitors.length).toBeLessThan(0.3);
  });
});
