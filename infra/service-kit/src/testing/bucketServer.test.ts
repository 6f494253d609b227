import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { S3Bucket } from '../bucket.ts';
import { type BucketServer, startBucketServer } from './bucketServer.ts';

let server: BucketServer;
beforeAll(async () => {
  server = await startBucketServer();
});
afterAll(() => server.stop());

it('has its objects again on the same port after it was killed', async () => {
  const bucket = new S3Bucket({
    bucket: 'site',
    prefix: 'photos/',
    region: 'us-east-1',
    endpoint: server.url,
    isPathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  await bucket.put('3f/a b+é%.webp', 'stays');
  await bucket.put('3f/gone.webp', 'goes');
  await bucket.remove('3f/gone.webp');
  const before = server.pid();
  process.kill(before!, 'SIGKILL');
  await server.ended();
  await server.restart();
  expect(server.pid()).not.toBe(before);
  expect(await bucket.readText('3f/a b+é%.webp')).toBe('stays');
  expect(await bucket.readText('3f/gone.webp')).toBeUndefined();
});
