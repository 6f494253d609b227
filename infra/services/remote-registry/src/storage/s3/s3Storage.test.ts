import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { followPointers, PointerWaits } from '../../pointers/pointerChanges.ts';
import { addToStore } from '../../releases/addToStore.ts';
import { Bucket } from '@forecourt/service-kit/bucket';
import { S3ReleaseStore } from './s3ReleaseStore.ts';
import { openS3Storage } from './s3Storage.ts';
import { type S3TestServer, startS3TestServer } from '../../testing/s3Server.ts';

let server: S3TestServer;
beforeEach(async () => {
  server = await startS3TestServer();
});
afterEach(() => server.close());

const options = () => ({
  bucket: 'releases',
  prefix: 'registry/',
  region: 'us-east-1',
  endpoint: server.url,
  isPathStyle: true,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const id = { name: 'sample', version: '1.0.0' };
const at = (revision: number, live = '1.0.0') => ({ revision, remotes: { sample: { live } }, history: {} });
const uploadOf = (version = '1.0.0') => {
  const release = sampleRelease({ version });
  return { manifestBytes: manifestBytesOf(release), files: release.files };
};
const keys = (folder: string) =>
  [...server.objects.keys()].filter((key) => key.startsWith(`registry/${folder}`));

describe('S3 storage', () => {
  it('rejects a server that ignores write conditions, and leaves no objects there', async () => {
    server.honorsConditions = false;
    await expect(openS3Storage(options())).rejects.toThrow(/^s3:\/\/.* does not honor/);
    expect(server.objects.size).toBe(0);
  });

  it('reports an inaccessible bucket', async () => {
    await server.close();
    await expect(openS3Storage(options())).rejects.toThrow();
    server = await startS3TestServer();
  });

  it('sends nothing to a server that only the SDK’s own configuration names', async () => {
    process.env['AWS_ENDPOINT_URL_S3'] = server.url;
    try {
      const bucket = new Bucket({ ...options(), endpoint: undefined });
      await expect(bucket.put('a', 'x', 'text/plain')).rejects.toMatchObject({ code: 'REFUSED' });
      expect(server.objects.size).toBe(0);
      await new Bucket(options()).put('a', 'x', 'text/plain');
      expect(server.objects.size).toBe(1);
    } finally {
      delete process.env['AWS_ENDPOINT_URL_S3'];
    }
  });

  it('recognizes its own write after a lost response and a retry', async () => {
    const { pointers } = await openS3Storage(options());
    let lost = 0;
    server.onWrite = (key) =>
      key.endsWith('pointers.json') && (lost += 1) === 1 ? 'lose-response' : 'write';
    await pointers.writePointers(at(1), 0);
    expect(lost).toBe(1);
    expect(await pointers.readPointers()).toEqual(at(1));
    await expect(pointers.writePointers(at(1, '2.0.0'), 0)).rejects.toMatchObject({
      code: 'REVISION_CHANGED',
    });
  });

  it('writes a log entry once after a lost response and a retry', async () => {
    const { log } = await openS3Storage(options());
    let lost = 0;
    server.onWrite = (key) => (key.includes('/log/') && (lost += 1) === 1 ? 'lose-response' : 'write');
    expect(await log.appendEntry(1, 'first')).toBe(true);
    expect(lost).toBe(1);
    expect(await log.appendEntry(1, 'other')).toBe(false);
    expect(await log.readEntries(0, 10)).toEqual(['first']);
  });

  it('publishes when the responses to its writes are lost', async () => {
    const { releases } = await openS3Storage(options());
    const failedKeys = new Set<string>();
    server.onWrite = (key) => (failedKeys.has(key) || !failedKeys.add(key) ? 'write' : 'lose-response');
    await addToStore(releases, uploadOf(), { brotliQuality: 5 });
    expect(await releases.listReleases()).toEqual([id]);
  });

  it('hides a failed publish and removes its files', async () => {
    const { releases } = await openS3Storage(options());
    server.onWrite = (key) => (key.endsWith('web/icon.svg') ? 'fail' : 'write');
    await expect(addToStore(releases, uploadOf(), { brotliQuality: 5 })).rejects.toThrow();
    expect(await releases.findRelease(id)).toBeUndefined();
    expect(keys('files/')).toEqual([]);
    server.onWrite = () => 'write';
    await addToStore(releases, uploadOf(), { brotliQuality: 5 });
    expect(await releases.findRelease(id)).toBeDefined();
  });

  it('removes only the files of crashed publishes', async () => {
    const { releases } = await openS3Storage(options());
    await addToStore(releases, uploadOf(), { brotliQuality: 5 });
    const published = keys('files/');
    const left = `registry/files/sample/2.0.0/dead/web/entry.js`;
    const { writtenAt, ...object } = server.objects.get(published[0]!)!;
    server.objects.set(left, { ...object, writtenAt });
    const store = (now: Date) => new S3ReleaseStore(new Bucket(options()), () => now);
    await store(writtenAt).sweep();
    expect(keys('files/sample/2.0.0/')).toEqual([left]);
    await store(new Date(writtenAt.getTime() + 2 * 3600 * 1000)).sweep();
    expect(keys('files/')).toEqual(published);
  });

  it('reports a damaged marker or pointer record', async () => {
    const { releases, pointers } = await openS3Storage(options());
    const damaged = { bytes: Buffer.from('{"rev'), etag: '"1"', metadata: {}, writtenAt: new Date() };
    server.objects.set('registry/releases/sample/1.0.0.json', damaged);
    server.objects.set('registry/pointers.json', damaged);
    await expect(releases.findRelease(id)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await expect(pointers.readPointers()).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await expect(pointers.writePointers(at(1), 0)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
  });

  it('wakes waiting requests after a change by another registry', async () => {
    const [here, there] = [await openS3Storage(options()), await openS3Storage(options())];
    const waits = new PointerWaits();
    const following = followPointers(here.pointers, waits, { onError: () => {}, everyMs: 5 });
    const { signal } = new AbortController();
    // The first poll reads the revision and wakes all waiting requests.
    await waits.begin(60, signal).done;
    const second = waits.begin(60, signal);
    await there.pointers.writePointers(at(1), 0);
    await second.done;
    following.stop();
    waits.close();
  });
});
