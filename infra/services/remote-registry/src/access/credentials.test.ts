import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { Credentials } from './credentials.ts';
import { addToStore } from '../releases/addToStore.ts';
import { openLocalStorage } from '../storage/openStorage.ts';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

const BOOTSTRAP = 'a-token-of-some-length';
const DAY_MS = 24 * 60 * 60 * 1000;

let registry: TestRegistry;
beforeEach(async () => {
  registry = await startTestRegistry({ token: BOOTSTRAP });
  for (const name of ['sample', 'other'])
    for (const version of ['1.0.0', '2.0.0']) {
      const release = sampleRelease({ name, version });
      await addToStore(
        registry.storage.releases,
        { manifestBytes: manifestBytesOf(release), files: release.files },
        { brotliQuality: 0 },
      );
    }
});
afterEach(() => registry.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (path: string, body: unknown, token = BOOTSTRAP) =>
  postJson(`${registry.url}/api/${path}`, body, bearer(token));
const get = async (path: string, token = BOOTSTRAP) => {
  const response = await fetch(`${registry.url}/api/${path}`, { headers: bearer(token) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
async function create(name: string, actions: string[], remote = 'sample', token = BOOTSTRAP) {
  const { status, body } = await post('credentials', { name, scopes: [{ remote, actions }] }, token);
  expect(status).toBe(201);
  return (body as { token: string }).token;
}
const refusal = (code: string, reason: RegExp) => ({
  body: { error: { code, message: expect.stringMatching(reason) } },
});

describe('a credential', () => {
  it('allows a credential its actions on its remote only', async () => {
    const token = await create('sample-ci', ['promote', 'rollback']);
    expect(await post('remotes/sample/promote', { version: '1.0.0' }, token)).toMatchObject({ status: 200 });
    expect(await post('remotes/other/promote', { version: '1.0.0' }, token)).toMatchObject({
      status: 403,
      ...refusal(
        'FORBIDDEN',
        /^credential sample-ci does not allow promote other; it allows promote, rollback sample$/,
      ),
    });
    const canary = { version: '2.0.0', weight: 5 };
    expect(await post('remotes/sample/canary', canary, token)).toMatchObject({ status: 403 });
    const pointer = { live: '1.0.0', canary, expectedRevision: 1 };
    expect(await post('remotes/sample/pointer', pointer, token)).toMatchObject({ status: 403 });
    expect(await post('gc', {}, token)).toMatchObject({ status: 403 });
    expect(await get('credentials', token)).toMatchObject({ status: 403 });
    const upload = await fetch(`${registry.url}/api/releases/sample/3.0.0`, {
      method: 'PUT',
      headers: bearer(token),
      body: 'no archive',
    });
    expect(upload.status).toBe(403);
  });

  it('rejects starting or widening a canary with a credential for ending canaries', async () => {
    const token = await create('shell', ['end-canary'], '*');
    await post('remotes/sample/promote', { version: '1.0.0' });
    await post('remotes/sample/canary', { version: '2.0.0', weight: 5 });
    for (const weight of [0.01, 100])
      expect(await post('remotes/sample/canary', { version: '2.0.0', weight }, token)).toMatchObject({
        status: 403,
        ...refusal('FORBIDDEN', /does not allow canary sample/),
      });
    expect(await post('remotes/sample/canary', { version: '2.0.0', weight: 0 }, token)).toMatchObject({
      status: 200,
    });
    const { changes } = (await get('history?limit=1')).body as { changes: unknown[] };
    expect(changes).toEqual([expect.objectContaining({ by: 'shell', after: { live: '1.0.0' } })]);
  });

  it('records the credential as author of a change, ignoring what the request claims', async () => {
    const token = await create('sample-ci', ['promote']);
    await post('remotes/sample/promote', { version: '1.0.0', by: 'the boss' }, token);
    await post('remotes/other/promote', { version: '1.0.0', by: 'the boss' });
    const { changes } = (await get('history')).body as { changes: { by: string }[] };
    expect(changes.map(({ by }) => by)).toEqual(['bootstrap', 'sample-ci']);
  });

  it('rejects a token when its credential is rotated, revoked or expired', async () => {
    const first = await create('sample-ci', ['promote']);
    const rotated = await post('credentials/sample-ci/rotate', {});
    const second = rotated.body['token'] as string;
    const promote = (token: string) => post('remotes/sample/promote', { version: '1.0.0' }, token);
    expect(await promote(first)).toMatchObject({ status: 401, ...refusal('UNAUTHORIZED', /unknown/) });
    expect(await promote(second)).toMatchObject({ status: 200 });
    expect(await post('credentials/sample-ci/revoke', {})).toMatchObject({ status: 200 });
    expect(await promote(second)).toMatchObject({ status: 401 });
    expect(await post('credentials/sample-ci/revoke', {})).toMatchObject({ status: 404 });

    const past = new Credentials(registry.storage.access, () => new Date(Date.now() - 2 * DAY_MS));
    const issued = await past.create(
      { name: 'bootstrap', scopes: [{ remote: '*', actions: ['administer'] }] },
      {
        name: 'old-ci',
        scopes: [{ remote: 'sample', actions: ['promote'] }],
        expiresAt: new Date(Date.now() - DAY_MS).toISOString(),
      },
    );
    expect(await promote(issued.token)).toMatchObject({
      status: 401,
      ...refusal('UNAUTHORIZED', /^credential old-ci expired at /),
    });
    const renewed = await post('credentials/old-ci/rotate', {});
    expect(await promote(renewed.body['token'] as string)).toMatchObject({ status: 200 });
  });

  it('grants and revokes only what the caller administers', async () => {
    const lead = await create('sample-lead', ['administer', 'publish']);
    await create('sample-ci', ['promote'], 'sample', lead);
    await create('other-ci', ['promote'], 'other');
    for (const scopes of [
      [{ remote: 'other', actions: ['publish'] }],
      [{ remote: '*', actions: ['end-canary'] }],
      [
        { remote: 'sample', actions: ['publish'] },
        { remote: 'other', actions: ['publish'] },
      ],
    ])
      expect(await post('credentials', { name: 'more', scopes }, lead)).toMatchObject({ status: 403 });
    for (const verb of ['rotate', 'revoke'])
      expect(await post(`credentials/other-ci/${verb}`, {}, lead)).toMatchObject({ status: 403 });
    const { credentials } = (await get('credentials', lead)).body as { credentials: { name: string }[] };
    expect(credentials.map(({ name }) => name)).toEqual(['sample-lead', 'sample-ci']);
  });

  it.each(['bootstrap', 'local', 'offline', 'ci:repo', 'Has Spaces', 'x'])(
    'rejects the credential name %j',
    async (name) => {
      const scopes = [{ remote: 'sample', actions: ['publish'] }];
      expect(await post('credentials', { name, scopes })).toMatchObject({ status: 400 });
    },
  );
});

describe('the stored credentials', () => {
  it('stores no token, keeps the file readable by its owner only, and survives a restart', async () => {
    const token = await create('sample-ci', ['publish']);
    const folder = join(registry.dataDir, 'registry');
    const files = (await readdir(folder)).filter((file) => file.startsWith('registry.sqlite'));
    expect(files).toContain('registry.sqlite');
    for (const file of files) {
      expect(await readFile(join(folder, file), 'latin1')).not.toContain(token.slice(4, 20));
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    }
    expect(JSON.stringify((await get('credentials')).body)).not.toContain('tokenHash');
    const { access } = await openLocalStorage(registry.dataDir);
    expect(await new Credentials(access).authenticate(token)).toMatchObject({ name: 'sample-ci' });
  });

  it('stores both of two credentials that are created at the same time', async () => {
    await Promise.all(['first', 'second'].map((name) => create(name, ['publish'])));
    const { credentials } = (await get('credentials')).body as { credentials: unknown[] };
    expect(credentials).toHaveLength(2);
  });
});

describe('a registry in local mode', () => {
  it('limits a program with a token to the scopes of its credential in local mode', async () => {
    const local = await startTestRegistry();
    const url = `${local.url}/api/credentials`;
    const { body } = await postJson(url, {
      name: 'shell',
      scopes: [{ remote: '*', actions: ['end-canary'] }],
    });
    const own = { authorization: `Bearer ${String(body['token'])}` };
    expect(await postJson(`${local.url}/api/remotes/sample/rollback`, {}, own)).toMatchObject({
      status: 403,
    });
    expect(await postJson(`${local.url}/api/gc`, {}, bearer('unknown'))).toMatchObject({ status: 401 });
    expect(await postJson(`${local.url}/api/gc`, {})).toMatchObject({ status: 200 });
    await local.stop();
  });
});
