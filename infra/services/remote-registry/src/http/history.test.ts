import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { addToStore } from '../releases/addToStore.ts';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

let registry: TestRegistry;
beforeEach(async () => {
  registry = await startTestRegistry();
  for (const name of ['sample', 'other'])
    for (const version of ['1.0.0', '2.0.0']) {
      const release = sampleRelease({ name, version });
      await addToStore(registry.storage.releases, {
        manifestBytes: manifestBytesOf(release),
        files: release.files,
      });
    }
});
afterEach(() => registry.stop());

const post = (path: string, body: unknown) => postJson(`${registry.url}/api/${path}`, body);
const read = async (path: string) =>
  ((await (await fetch(`${registry.url}/api/${path}`)).json()) as { changes: Record<string, unknown>[] })
    .changes;

describe('the history', () => {
  it('lists which credential moved a pointer when and why, with its state before and after', async () => {
    await post('remotes/sample/promote', { version: '1.0.0', by: 'dana@results', why: 'first release' });
    await post('remotes/other/promote', { version: '1.0.0' });
    await post('remotes/sample/canary', { version: '2.0.0', weight: 2.5, by: 'dana@results' });
    await post('remotes/sample/rollback', { why: 'nothing to go back to' });
    const changes = await read('remotes/sample/history');
    expect(changes).toEqual([
      {
        by: 'local',
        revision: 3,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        remote: 'sample',
        verb: 'canary',
        before: { live: '1.0.0' },
        after: { live: '1.0.0', canary: { version: '2.0.0', weight: 2.5 } },
      },
      expect.objectContaining({ revision: 1, verb: 'promote', why: 'first release', before: null }),
    ]);
    expect((await read('history')).map(({ remote }) => remote)).toEqual(['sample', 'other', 'sample']);
    expect(await read('history?limit=1')).toHaveLength(1);
    expect((await fetch(`${registry.url}/api/history?limit=0`)).status).toBe(400);
  });

  it('contains each of fifty concurrent promotions once', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        for (;;) {
          const version = at % 2 === 0 ? '1.0.0' : '2.0.0';
          const { status } = await post('remotes/sample/promote', { version, by: `team-${at}` });
          if (status === 200) return;
        }
      }),
    );
    const changes = await read('history?limit=1000');
    const revisions = changes.map(({ revision }) => revision as number);
    expect(revisions).toEqual(revisions.map((_, at) => revisions.length - at));
    // Each entry begins where the one before it ended.
    for (const [at, { before }] of changes.slice(0, -1).entries())
      expect(before).toEqual(changes[at + 1]!['after']);
  });
});
