import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { historySchema, holdsSchema } from '@forecourt/release-kit/registryResponses';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { addToStore } from '../releases/addToStore.ts';
import { changeDatabase, postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

let registry: TestRegistry;
beforeEach(async () => {
  registry = await startTestRegistry();
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
    const release = sampleRelease({ version });
    await addToStore(registry.storage.releases, {
      manifestBytes: manifestBytesOf(release),
      files: release.files,
    });
  }
});
afterEach(() => registry.stop());

const post = (verb: string, body: unknown, name = 'sample') =>
  postJson(`${registry.url}/api/remotes/${name}/${verb}`, body);
const pointers = async () => (await fetch(`${registry.url}/api/pointers`)).json();
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('pointers over HTTP', () => {
  it('moves a release from canary to live and rolls it back', async () => {
    expect(await post('promote', { version: '1.0.0' })).toMatchObject({ status: 200 });
    await post('canary', { version: '2.0.0', weight: 5 });
    expect(await pointers()).toEqual({
      revision: 2,
      remotes: { sample: { live: '1.0.0', canary: { version: '2.0.0', weight: 5 } } },
    });
    await post('promote', {});
    expect(await pointers()).toEqual({ revision: 3, remotes: { sample: { live: '2.0.0' } } });
    await post('rollback', {});
    expect(await pointers()).toEqual({ revision: 4, remotes: { sample: { live: '1.0.0' } } });
    expect(await post('rollback', {})).toMatchObject({
      status: 409,
      body: { error: { code: 'NO_PREVIOUS_RELEASE' } },
    });
  });

  it('tells shells the address of the control room that is configured', async () => {
    const other = await startTestRegistry({}, { roomOrigin: 'https://registry.example' });
    const response = await fetch(`${other.url}/api/pointers`);
    expect(await response.json()).toEqual({
      revision: 0,
      remotes: {},
      room: 'https://registry.example/room',
    });
    await other.stop();
  });

  it('rejects a weight with more than two decimals and an overlong reason', async () => {
    await post('promote', { version: '1.0.0' });
    for (const body of [
      { version: '2.0.0', weight: 0.001 },
      { version: '2.0.0', weight: 5, why: 'x'.repeat(501) },
    ])
      expect(await post('canary', body)).toMatchObject({ status: 400 });
  });

  it('lets a held remote only go back, until it is resumed', async () => {
    await post('promote', { version: '1.0.0' });
    await post('promote', { version: '2.0.0' });
    await post('canary', { version: '3.0.0', weight: 5 });
    expect(await post('hold', {})).toMatchObject({ status: 400 });
    expect(await post('hold', { why: 'holiday' })).toMatchObject({ status: 200 });
    const { holds } = holdsSchema.parse(await (await fetch(`${registry.url}/api/holds`)).json());
    expect(holds['sample']).toMatchObject({ by: 'local', why: 'holiday' });

    const forward: [verb: string, body: object][] = [
      ['promote', { version: '3.0.0' }],
      ['promote', {}],
      ['canary', { version: '3.0.0', weight: 50 }],
      ['pointer', { live: '3.0.0', expectedRevision: 4 }],
    ];
    for (const [verb, body] of forward)
      expect(await post(verb, body)).toMatchObject({ status: 409, body: { error: { code: 'REMOTE_HELD' } } });
    expect(await post('canary', { version: '3.0.0', weight: 0 })).toMatchObject({ status: 200 });
    expect(await post('rollback', {})).toMatchObject({
      status: 200,
      body: { remotes: { sample: { live: '1.0.0' } } },
    });

    expect(await post('resume', {})).toMatchObject({ status: 200 });
    expect(await post('promote', { version: '3.0.0' })).toMatchObject({ status: 200 });
    const { changes } = historySchema.parse(await (await fetch(`${registry.url}/api/history`)).json());
    expect(changes.map(({ verb }) => verb)).toEqual([
      'promote',
      'resume',
      'rollback',
      'canary',
      'hold',
      'canary',
      'promote',
      'promote',
    ]);
  });

  it('rejects a pointer change when the expected revision is stale', async () => {
    expect(await post('pointer', { live: '1.0.0', expectedRevision: 0 })).toMatchObject({ status: 200 });
    const stale = await post('pointer', { live: '2.0.0', expectedRevision: 0 });
    expect(stale).toMatchObject({ status: 409, body: { error: { code: 'REVISION_CHANGED' } } });
    expect(await post('pointer', { live: '2.0.0' })).toMatchObject({ status: 400 });
    expect(await post('rollback', { expectedRevision: 7 })).toMatchObject({ status: 409 });
    expect(await pointers()).toEqual({ revision: 1, remotes: { sample: { live: '1.0.0' } } });
  });

  it('accepts one of two concurrent writes with the same revision', async () => {
    const statuses = await Promise.all(
      ['1.0.0', '2.0.0'].map(async (live) => (await post('pointer', { live, expectedRevision: 0 })).status),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('applies all concurrent changes without an expected revision', async () => {
    await post('promote', { version: '1.0.0' });
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async (weight) => (await post('canary', { version: '2.0.0', weight })).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await pointers()).toMatchObject({ revision: 5 });
  });

  it('rejects pointers to releases that do not exist', async () => {
    for (const [verb, body] of [
      ['promote', { version: '9.9.9' }],
      ['pointer', { live: '9.9.9', expectedRevision: 0 }],
      ['pointer', { live: '1.0.0', canary: { version: '9.9.9', weight: 1 }, expectedRevision: 0 }],
      ['canary', { version: '9.9.9', weight: 1 }],
    ] as const) {
      expect(await post(verb, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'UNKNOWN_RELEASE' } },
      });
    }
  });

  it('rejects invalid input without changes', async () => {
    for (const body of [
      { version: '1.0.0', weight: 101 },
      { version: '1.0.0', weight: -1 },
      { version: 1 },
      [],
    ]) {
      expect(await post('canary', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_REQUEST' } },
      });
    }
    expect(await post('promote', { version: '1.0.0' }, '__proto__')).toMatchObject({ status: 400 });
    const broken = await fetch(`${registry.url}/api/remotes/sample/promote`, {
      method: 'POST',
      body: '{"version',
    });
    expect(broken.status).toBe(400);
  });

  it.each(['..%2fsample', '..%2f', 'sample%00', 'Sample', '%E0%A4%A'])(
    'rejects the encoded remote name %s without changes',
    async (name) => {
      expect((await post('promote', { version: '1.0.0' }, name)).status).toBe(400);
      expect(await pointers()).toEqual({ revision: 0, remotes: {} });
    },
  );

  it.each([
    ['promote', { version: '2.0.0' }],
    ['canary', { version: '2.0.0', weight: 5 }],
    ['rollback', {}],
  ])('overwrites no history with %s when the stored pointers cannot be read', async (verb, body) => {
    await post('promote', { version: '1.0.0' });
    const setPointers = (text: string) =>
      changeDatabase(registry, `UPDATE record SET body = ? WHERE name = 'pointers'`, text);
    const stored = JSON.stringify(await registry.storage.pointers.readPointers());
    setPointers('damaged');
    expect(await post(verb, body)).toMatchObject({
      status: 500,
      body: { error: { code: 'STORAGE_DAMAGED' } },
    });
    await expect(registry.storage.pointers.readPointers()).rejects.toThrow(/cannot be read/);
    setPointers(stored);
    expect(await pointers()).toEqual({ revision: 1, remotes: { sample: { live: '1.0.0' } } });
  });

  it('parses the body of a promotion regardless of its content type', async () => {
    await post('promote', { version: '1.0.0' });
    await post('canary', { version: '2.0.0', weight: 5 });
    await fetch(`${registry.url}/api/remotes/sample/promote`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '{"version":"3.0.0"}',
    });
    expect(await pointers()).toMatchObject({ remotes: { sample: { live: '3.0.0' } } });
  });

  it('returns a strong ETag for pointers, and 304 until they change', async () => {
    const first = await fetch(`${registry.url}/api/pointers`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"0-/);
    const fetchPointers = () => fetch(`${registry.url}/api/pointers`, { headers: { 'if-none-match': etag } });
    expect((await fetchPointers()).status).toBe(304);
    await post('promote', { version: '1.0.0' });
    expect((await fetchPointers()).status).toBe(200);
  });
});

describe('waiting for the pointers', () => {
  const wait = (seconds: number, revision: number, signal?: AbortSignal) =>
    fetch(`${registry.url}/api/pointers?wait=${seconds}&revision=${revision}`, { signal });

  it('responds to a waiting request when the pointers change, before the timeout', async () => {
    const pendingResponse = wait(30, 0).then((response) => response.json());
    await until(() => registry.waits.count === 1);
    await post('promote', { version: '1.0.0' });
    // Ends before the wait of 30 s, else the test times out.
    expect(await pendingResponse).toMatchObject({ revision: 1 });
    expect(registry.waits.count).toBe(0);
  });

  it('responds immediately when the revision already differs', async () => {
    await post('promote', { version: '1.0.0' });
    expect(await (await wait(30, 0)).json()).toMatchObject({ revision: 1 });
    expect(await (await wait(30, 5)).json()).toMatchObject({ revision: 1 });
  });

  it('returns the unchanged pointers after the timeout', async () => {
    const pendingResponse = wait(1, 0).then((response) => response.json());
    await until(() => registry.waits.count === 1);
    expect(await pendingResponse).toEqual({ revision: 0, remotes: {} });
    expect(registry.waits.count).toBe(0);
  });

  it('cleans up a waiting request when the client disconnects', async () => {
    const caller = new AbortController();
    const pendingResponse = wait(30, 0, caller.signal).catch(() => 'gone');
    await until(() => registry.waits.count === 1);
    caller.abort();
    expect(await pendingResponse).toBe('gone');
    await until(() => registry.waits.count === 0);
  });

  it('responds to waiting requests at shutdown', async () => {
    const pendingResponse = wait(30, 0);
    await until(() => registry.waits.count === 1);
    registry.waits.close();
    expect((await pendingResponse).status).toBe(200);
  });

  it.each([
    'wait=61&revision=0',
    'wait=5',
    'wait=-1&revision=0',
    'wait=1e3&revision=0',
    'wait=1&wait=2&revision=0',
  ])('returns 400 for a waiting request with %s', async (query) => {
    expect((await fetch(`${registry.url}/api/pointers?${query}`)).status).toBe(400);
  });
});
