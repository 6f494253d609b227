import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { createReleaseArchive } from './archive.ts';
import { createRegistryClient } from './registryClient.ts';
import type { FollowerOptions, ReleaseFollower } from './follower.ts';
import type { ReleaseStore } from './releaseStore.ts';
import { followerRig, until } from './testing/followerRig.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function client(answer: RequestListener) {
  const urls: string[] = [];
  const server = createServer((request, response) => {
    urls.push(request.url ?? '');
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { registry: createRegistryClient(`http://127.0.0.1:${port}`, { timeoutMs: 600 }), urls };
}

const BODY = Buffer.from('module.exports = 1;');
const PATH = 'node/remoteEntry.cjs';
const integrityOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
const manifest: ReleaseManifest = {
  ...tinyRelease({ x: textSlot('x') }).manifest,
  files: { [PATH]: { integrity: integrityOf(BODY), bytes: BODY.length } },
};
const signal = new AbortController().signal;

describe('release file', () => {
  it('is returned when it matches the manifest', async () => {
    const { registry, urls } = await client((_, response) => response.end(BODY));
    expect(await registry.file(manifest, PATH)).toEqual(BODY);
    expect(urls).toEqual([`/remotes/mfe-tiny/1.0.0/${PATH}`]);
  });

  it.each<[string, RequestListener, string]>([
    ['other bytes of the same length', (_, response) => response.end('module.exports = 2;'), 'INTEGRITY'],
    ['fewer bytes', (_, response) => response.end('module'), 'INTEGRITY'],
    [
      'more bytes than its manifest says',
      (_, response) => response.end(Buffer.alloc(BODY.length + 1)),
      'TOO_LARGE',
    ],
    [
      'an endless body',
      (_, response) => {
        const flood = setInterval(() => response.write(Buffer.alloc(1024)), 1);
        response.on('close', () => clearInterval(flood));
      },
      'TOO_LARGE',
    ],
    [
      'a body that drips',
      (_, response) => {
        const drip = setInterval(() => response.write('m'), 60);
        response.on('close', () => clearInterval(drip));
      },
      'REGISTRY_UNREACHABLE',
    ],
    ['no answer at all', () => {}, 'REGISTRY_UNREACHABLE'],
    ['a connection that is cut', (request) => request.socket.destroy(), 'REGISTRY_UNREACHABLE'],
    ['a page of HTML with status 200', (_, response) => response.end('<!doctype html>'), 'INTEGRITY'],
    [
      'an error page',
      (_, response) => response.writeHead(500).end('module.exports = 1;'),
      'INVALID_RESPONSE',
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
      'REGISTRY_UNREACHABLE',
    ],
  ])('is refused for %s', async (_, answer, code) => {
    const { registry } = await client(answer);
    await expect(registry.file(manifest, PATH)).rejects.toMatchObject({ code });
  });

  it('is not requested when the manifest does not list it', async () => {
    const { registry, urls } = await client((_, response) => response.end());
    await expect(registry.file(manifest, 'node/other.cjs')).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
    });
    expect(urls).toEqual([]);
  });
});

describe('release manifest', () => {
  it('is returned when it belongs to the requested release', async () => {
    const { registry } = await client((_, response) => response.end(JSON.stringify(manifest)));
    expect(await registry.manifest('mfe-tiny', '1.0.0')).toEqual(manifest);
  });

  it.each([
    ['HTML with status 200', '<!doctype html>'],
    ['another release’s', JSON.stringify({ ...manifest, version: '6.6.6' })],
    [
      'one with a path that leads out of the release',
      JSON.stringify({ ...manifest, files: { 'node/../../x': { integrity: integrityOf(BODY), bytes: 1 } } }),
    ],
    ['nothing', ''],
  ])('is refused when it is %s', async (_, body) => {
    const { registry } = await client((__, response) => response.end(body));
    await expect(registry.manifest('mfe-tiny', '1.0.0')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });
});

describe('pointers', () => {
  it('are undefined when nothing changed, by status or by revision', async () => {
    const { registry, urls } = await client((request, response) => {
      if (request.url?.includes('revision=1')) response.writeHead(304).end();
      else response.end(JSON.stringify({ revision: 2, remotes: {} }));
    });
    expect(await registry.pointers(1, 0, signal)).toBeUndefined();
    expect(await registry.pointers(2, 0, signal)).toBeUndefined();
    expect(await registry.pointers(undefined, 20, signal)).toEqual({ revision: 2, remotes: {} });
    expect(urls).toEqual([
      '/api/pointers?wait=0&revision=1',
      '/api/pointers?wait=0&revision=2',
      '/api/pointers',
    ]);
  });

  const remote = (pointer: object, name = 'mfe-tiny') =>
    JSON.stringify({ revision: 2, remotes: { [name]: pointer } });
  it.each<[string, string, string]>([
    ['HTML with status 200', '<!doctype html>', 'INVALID_RESPONSE'],
    ['JSON that is cut off', '{"revision":2,"remotes":{', 'INVALID_RESPONSE'],
    ['a remote without a live release', remote({}), 'INVALID_RESPONSE'],
    ['a version that leads elsewhere', remote({ live: '../../x' }), 'INVALID_RESPONSE'],
    ['a name that leads elsewhere', remote({ live: '1.0.0' }, '../x'), 'INVALID_RESPONSE'],
    [
      'a canary above 100 %',
      remote({ live: '1.0.0', canary: { version: '1.1.0', weight: 101 } }),
      'INVALID_RESPONSE',
    ],
    ['more than 1 MiB', ' '.repeat(1024 * 1024 + 1), 'TOO_LARGE'],
  ])('are refused when they are or contain %s', async (_, body, code) => {
    const { registry } = await client((__, response) => response.end(body));
    await expect(registry.pointers(1, 0, signal)).rejects.toMatchObject({ code });
  });

  it('are aborted when the shell stops', async () => {
    const { registry } = await client(() => {});
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 20);
    await expect(registry.pointers(1, 60, stopping.signal)).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
    });
  });
});

describe('release archive', () => {
  const web = { 'web/late.js': { integrity: integrityOf(BODY), bytes: BODY.length } };
  function registry() {
    return {
      manifest: jest.fn(() => Promise.resolve({ ...manifest, files: { ...manifest.files, ...web } })),
      file: jest.fn(() => Promise.resolve(BODY)),
    };
  }

  it('requests each file once from the registry', async () => {
    const source = registry();
    const archive = createReleaseArchive(source);
    expect(await archive.file('mfe-tiny', '1.0.0', 'web/late.js')).toBe(BODY);
    expect(await archive.file('mfe-tiny', '1.0.0', 'web/late.js')).toBe(BODY);
    expect(source.manifest).toHaveBeenCalledTimes(1);
    expect(source.file).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['MFE', '1.0.0', 'web/late.js'],
    ['mfe-tiny', '../../x', 'web/late.js'],
    ['mfe-tiny', '1.0.0', 'node/remoteEntry.cjs'],
  ])('never requests %s %s %s', async (name, version, path) => {
    const source = registry();
    expect(await createReleaseArchive(source).file(name, version, path)).toBeUndefined();
    expect(source.manifest).not.toHaveBeenCalled();
  });

  it('returns undefined for a missing or unavailable file and retries next time', async () => {
    const source = registry();
    const archive = createReleaseArchive(source);
    expect(await archive.file('mfe-tiny', '1.0.0', 'web/other.js')).toBeUndefined();
    source.file.mockRejectedValueOnce(new Error('away'));
    expect(await archive.file('mfe-tiny', '1.0.0', 'web/late.js')).toBeUndefined();
    expect(await archive.file('mfe-tiny', '1.0.0', 'web/late.js')).toBe(BODY);
  });

  it('limits its releases and its concurrent requests', async () => {
    const source = registry();
    const archive = createReleaseArchive(source, { maxReleases: 2, maxPending: 2 });
    const ask = (patch: number) => archive.file('mfe-tiny', `1.0.${patch}`, 'web/late.js');
    expect((await Promise.all([ask(1), ask(2), ask(3)])).filter(Boolean)).toHaveLength(2);
    await ask(3);
    await ask(1);
    expect(source.manifest).toHaveBeenCalledTimes(4);
  });
});

const following: ReleaseFollower[] = [];
afterEach(() => Promise.all(following.splice(0).map((follower) => follower.stop())));

function rig(options?: Partial<FollowerOptions>) {
  const made = followerRig(options);
  following.push(made.follower);
  return made;
}

describe('suspicious pointers', () => {
  it.each([
    ['an empty registry', { revision: 9, remotes: {} }, /has no remotes/],
    [
      'an older registry',
      { revision: 6, remotes: { 'mfe-tiny': { live: '0.9.0' } } },
      /older than revision 7/,
    ],
    [
      'a registry without a required remote',
      { revision: 8, remotes: { 'mfe-o': { live: '1.0.0' } } },
      /tiny/,
    ],
  ])('keeps its releases and stores nothing when it sees %s, until the right one is back', async (...row) => {
    const [, wrong, reason] = row;
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const stored = { revision: 7, remotes: { 'mfe-tiny': { live: '1.2.0' } } };
    const requiredRemotes = new Set(['mfe-tiny']);
    const { follower, state, liveVersion, events } = rig({
      store: { lastGood: async () => stored, save },
      requiredRemotes,
    });
    state.pointers = wrong;
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    expect(follower.suspicious()).toMatchObject({ revision: wrong.revision });
    expect(follower.suspicious()?.reason).toMatch(reason);
    await pause(60);
    expect(save).not.toHaveBeenCalled();
    expect(events.filter((event) => event === 'suspicious')).toHaveLength(1);
    state.pointers = stored;
    await until(() => follower.suspicious() === undefined);
    expect(liveVersion()).toBe('1.2.0');
  });

  it('follows pointers of the revision that an operator confirmed', async () => {
    const { follower, state, liveVersion } = rig({
      store: {
        lastGood: async () => ({ revision: 7, remotes: { 'mfe-tiny': { live: '1.2.0' } } }),
        save: async () => {},
      },
      confirmedRevision: 3,
    });
    state.pointers = { revision: 3, remotes: { 'mfe-tiny': { live: '1.1.0' } } };
    await follower.start();
    expect(liveVersion()).toBe('1.1.0');
    expect(follower.suspicious()).toBeUndefined();
  });

  it('keeps live releases when the registry becomes empty', async () => {
    const { follower, state, point, liveVersion } = rig({ pollSeconds: 0.05 });
    point('1.0.0');
    await follower.start();
    state.pointers = { revision: 0, remotes: {} };
    await until(() => follower.suspicious() !== undefined);
    expect(liveVersion()).toBe('1.0.0');
  });

  it('does not store fewer releases when one from before the restart cannot be loaded', async () => {
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const remotes = { 'mfe-tiny': { live: '1.2.0' }, 'mfe-other': { live: '1.0.0' } };
    const { follower, state, bad, liveVersion } = rig({
      store: { lastGood: async () => ({ revision: 7, remotes }), save },
    });
    bad.add('1.0.0');
    state.isAway = true;
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    expect(save).not.toHaveBeenCalled();
    state.pointers = { revision: 7, remotes };
    state.isAway = false;
    await until(() => save.mock.calls.length > 0);
    expect(save).toHaveBeenLastCalledWith({ revision: 7, remotes });
  });
});
