import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { S3Bucket } from './bucket.ts';
import { type S3TestServer, startS3TestServer } from './testing/s3Server.ts';

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

describe('S3Bucket', () => {
  it('sends nothing to a server that only the SDK’s own configuration names', async () => {
    process.env['AWS_ENDPOINT_URL_S3'] = server.url;
    try {
      const bucket = new S3Bucket({ ...options(), endpoint: undefined });
      await expect(bucket.put('a', 'x')).rejects.toMatchObject({ code: 'REFUSED' });
      expect(server.objects.size).toBe(0);
      await new S3Bucket(options()).put('a', 'x');
      expect(server.objects.size).toBe(1);
    } finally {
      delete process.env['AWS_ENDPOINT_URL_S3'];
    }
  });

  it('writes an object when the response is lost and the SDK tries again', async () => {
    let lost = 0;
    server.onWrite = () => ((lost += 1) === 1 ? 'lose-response' : 'write');
    const bucket = new S3Bucket(options());
    await bucket.put('a', 'x');
    expect(lost).toBe(2);
    expect(await bucket.readText('a')).toBe('x');
    expect(await bucket.readText('b')).toBeUndefined();
  });

  it('lists the keys of several pages in order, below its prefix', async () => {
    const bucket = new S3Bucket(options());
    const keys = Array.from({ length: 20 }, (_, at) => `log/${String(at).padStart(3, '0')}`);
    for (const key of keys) await bucket.put(key, 'x');
    const found: string[] = [];
    for await (const { key } of bucket.list('log/', 'log/009')) found.push(key);
    expect(found).toEqual(keys.slice(10));
  });
});
