import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { publishRelease } from '@forecourt/release-kit/registryClient';
import { packArchive } from '@forecourt/release-kit/archive';
import { canonicalJson } from '@forecourt/release-kit/canonicalJson';
import { isSignedBy, keyIdOf, type SignedManifest } from '@forecourt/release-kit/signatures';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { pem, publicKey: publicKey.export({ format: 'jwk' }).x! };
}
const own = keyPair();
const stranger = keyPair();

let registry: TestRegistry;
let build: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  registry = await startTestRegistry();
  build = await temporaryDirectory();
  await writeRelease(build.path, sampleRelease());
});
afterEach(async () => {
  await registry.stop();
  await build.remove();
});

const publish = (signingKey?: string) =>
  publishRelease({ directory: build.path, registryUrl: registry.url, signingKey });
const addKey = (remote: string, publicKey: string) =>
  postJson(`${registry.url}/api/keys`, { remote, publicKey });
const signature = async () => {
  const response = await fetch(`${registry.url}/api/releases/sample/1.0.0/signature`);
  return { status: response.status, body: (await response.json()) as SignedManifest };
};
const refused = (reason: RegExp) => ({
  code: 'SIGNATURE_INVALID',
  message: expect.stringMatching(reason),
});

describe('a remote with a registered key', () => {
  beforeEach(() => addKey('sample', own.publicKey));

  it('accepts a release signed with a registered key and serves the signed text', async () => {
    const manifest = await publish(own.pem);
    const { body } = await signature();
    expect(JSON.parse(body.manifest)).toEqual(manifest);
    expect(body).toMatchObject({ keyId: keyIdOf(own.publicKey), manifest: canonicalJson(manifest) });
    expect(isSignedBy(body, own.publicKey)).toBe(true);
    expect(isSignedBy({ ...body, manifest: body.manifest.replace('1.0.0', '1.0.1') }, own.publicKey)).toBe(
      false,
    );
  });

  it('rejects releases that are unsigned or signed with another key', async () => {
    await expect(publish()).rejects.toMatchObject(refused(/^sample takes signed releases only/));
    await expect(publish(stranger.pem)).rejects.toMatchObject(refused(/is not registered for sample/));
    await addKey('other', stranger.publicKey);
    await expect(publish(stranger.pem)).rejects.toMatchObject(refused(/is not registered for sample/));
    expect((await fetch(`${registry.url}/api/releases/sample`)).status).toBe(404);
  });

  it('rejects a manifest that was changed after signing', async () => {
    await publish(own.pem);
    const { keyId, signature: text } = (await signature()).body;
    await writeRelease(build.path, sampleRelease({ version: '1.0.1' }));
    const body = await packArchive(build.path, [...sampleRelease().files.keys()]);
    for (const header of [`${keyId} ${text}`, `${keyId} ${'A'.repeat(86)}`, keyId, 'x y', '']) {
      const response = await fetch(`${registry.url}/api/releases/sample/1.0.1`, {
        method: 'PUT',
        headers: { 'release-signature': header },
        body: new Uint8Array(body),
      });
      expect(response.status).toBe(422);
    }
  });

  it('rejects new releases of a removed key and keeps those that it signed', async () => {
    await publish(own.pem);
    await addKey('sample', stranger.publicKey);
    await postJson(`${registry.url}/api/keys/sample/${keyIdOf(own.publicKey)}/remove`, {});
    await writeRelease(build.path, sampleRelease({ version: '1.0.1' }));
    await expect(publish(own.pem)).rejects.toMatchObject(refused(/is not registered/));
    await publish(stranger.pem);
    expect(isSignedBy((await signature()).body, own.publicKey)).toBe(true);
  });
});

describe('a remote without a key', () => {
  it('accepts unsigned releases of a remote without keys, but no unverifiable signature', async () => {
    await expect(publish(own.pem)).rejects.toMatchObject(refused(/is not registered for sample/));
    await publish();
    expect(await signature()).toMatchObject({ status: 404, body: { error: { code: 'NOT_SIGNED' } } });
  });
});

describe('a key', () => {
  it('lets only an administrator of the remote add and remove keys', async () => {
    const scopes = [{ remote: 'other', actions: ['administer', 'publish'] }];
    const { body } = await postJson(`${registry.url}/api/credentials`, { name: 'other-lead', scopes });
    const as = { authorization: `Bearer ${String(body['token'])}` };
    const post = (path: string, content: unknown) => postJson(`${registry.url}/api/keys${path}`, content, as);
    await addKey('sample', own.publicKey);
    expect(await post('', { remote: 'sample', publicKey: stranger.publicKey })).toMatchObject({
      status: 403,
    });
    expect(await post(`/sample/${keyIdOf(own.publicKey)}/remove`, {})).toMatchObject({ status: 403 });
    expect(await post('', { remote: 'other', publicKey: stranger.publicKey })).toMatchObject({ status: 201 });
    expect(await post('', { remote: 'other', publicKey: 'short' })).toMatchObject({ status: 400 });
  });
});
