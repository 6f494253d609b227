import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { createRegistryClient, createReleaseSignatures, type ReleaseKeys } from './registryClient.ts';
import { storeReleases } from './releaseStore.ts';

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export({ format: 'jwk' }).x! };
}
const own = keyPair();
const stranger = keyPair();
const { manifest } = tinyRelease({ x: textSlot('x') });
const KEYS: ReleaseKeys = { 'mfe-tiny': [stranger.publicKey, own.publicKey], 'mfe-other': [] };

const signed = (text: string, { privateKey } = own) => ({
  keyId: '0123456789abcdef',
  manifest: text,
  signature: sign(null, Buffer.from(text), privateKey).toString('base64url'),
});
const text = JSON.stringify(manifest);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A shell's client of a registry that also serves the unsigned manifest. */
async function client(answer: RequestListener, keys: ReleaseKeys = KEYS) {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/signature')) answer(request, response);
    else response.end(text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createRegistryClient(`http://127.0.0.1:${port}`, { signatures: createReleaseSignatures(keys) });
}
const sending =
  (body: unknown): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(body));

describe('a remote with trusted keys', () => {
  it('is accepted with a signature of one of them', async () => {
    const registry = await client(sending(signed(text)));
    expect(await registry.manifest('mfe-tiny', '1.0.0')).toEqual(manifest);
  });

  it.each<[string, unknown]>([
    ['a key that is not trusted', signed(text, keyPair())],
    [
      'a manifest that was changed after signing',
      { ...signed(text), manifest: text.replace('1.0.0', '1.0.1') },
    ],
    ['the signature of another text', { ...signed(text), signature: signed(`${text} `).signature }],
    ['a signed manifest of another version', signed(JSON.stringify({ ...manifest, version: '6.6.6' }))],
    ['a signed manifest of another remote', signed(JSON.stringify({ ...manifest, name: 'mfe-other' }))],
    ['a signed text that is no manifest', signed('{}')],
    ['no signature', { manifest: text }],
    ['an empty signature', { ...signed(text), signature: '' }],
    ['an unsigned manifest', manifest],
  ])('is refused with %s', async (_, body) => {
    const registry = await client(sending(body));
    await expect(registry.manifest('mfe-tiny', '1.0.0')).rejects.toMatchObject({ code: 'SIGNATURE' });
  });

  it('is refused in plain words when the registry has no signature', async () => {
    const registry = await client((_, response) => response.writeHead(404).end());
    await expect(registry.manifest('mfe-tiny', '1.0.0')).rejects.toMatchObject({
      code: 'SIGNATURE',
      message: expect.stringMatching(
        /^mfe-tiny@1\.0\.0 is not signed, and RELEASE_KEYS requires a signature/,
      ),
    });
  });

  it('reports an unreachable registry as such', async () => {
    const registry = await client((request) => request.socket.destroy());
    await expect(registry.manifest('mfe-tiny', '1.0.0')).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
    });
  });
});

describe('a remote without trusted keys', () => {
  it('needs no signature', async () => {
    const answer = jest.fn<RequestListener>();
    const registry = await client(answer, { constructor: [own.publicKey] });
    expect(await registry.manifest('mfe-tiny', '1.0.0')).toEqual(manifest);
    expect(answer).not.toHaveBeenCalled();
  });
});

describe('the copy of releases on disk', () => {
  it('is not used for a manifest that was stored under other trusted keys', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signed-'));
    const stored = (registry: Awaited<ReturnType<typeof client>>, keys: ReleaseKeys) =>
      storeReleases(registry, folder, () => {}, createReleaseSignatures(keys).manifestFile);
    const away = await client((request) => request.socket.destroy());

    await stored(await client(sending({}), {}), {}).manifest('mfe-tiny', '1.0.0');
    await expect(stored(away, KEYS).manifest('mfe-tiny', '1.0.0')).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
    });
    await stored(await client(sending(signed(text))), KEYS).manifest('mfe-tiny', '1.0.0');
    expect(await stored(away, KEYS).manifest('mfe-tiny', '1.0.0')).toEqual(manifest);
    const fewer = { 'mfe-tiny': [stranger.publicKey] };
    await expect(stored(away, fewer).manifest('mfe-tiny', '1.0.0')).rejects.toThrow();
    expect(await readdir(join(folder, 'mfe-tiny/1.0.0'))).toHaveLength(2);
    await rm(folder, { recursive: true });
  });
});
