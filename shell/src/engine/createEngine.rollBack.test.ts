import { describe, expect, it, jest } from '@jest/globals';
import type { EngineAdapters } from './createEngine.ts';
import type { LiveRemote } from './releases/snapshot.ts';
import { RenderFailure } from './rendering/slotRenderer.ts';
import { tinyRelease } from './rendering/testing/tinyRelease.ts';
import { startLibrary } from './testing/startLibrary.ts';

const release = (version: string) => tinyRelease({ shelf: '1' }, { name: 'mfe-shelf', version });

describe('a live release whose required slot fails on pages', () => {
  it('is rolled back when the release before did not fail', async () => {
    const live = new Map<string, LiveRemote>([['mfe-shelf', { live: release('1.0.0') }]]);
    const rollBack = jest.fn<NonNullable<EngineAdapters['rollBack']>>(async () => {});
    const rig = await startLibrary({
      live,
      adapters: { rollBack },
      environment: { CACHE_SECONDS: 'pages=0,slots=0' },
      render: async ({ slot, release: { manifest } }) => {
        if (slot === 'shelf' && manifest.version === '1.1.0') throw new RenderFailure('THREW', 'broken');
        return { html: `<p>${slot}</p>`, data: null };
      },
    });
    const openPages = async (count: number) => {
      for (let page = 0; page < count; page += 1) await rig.send('/library/shelf');
    };
    await openPages(30);
    live.set('mfe-shelf', { live: release('1.1.0') });
    await openPages(12);
    await rig.stop();
    expect(rollBack).toHaveBeenCalledTimes(1);
    expect(rollBack.mock.calls[0]?.[0]).toMatchObject({
      ...{ remote: 'mfe-shelf', version: '1.1.0', previous: '1.0.0' },
      ...{ slot: 'shelf', where: 'server' },
    });
  });
});
