import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { type S3TestServer, startS3TestServer } from '@forecourt/service-kit/s3Server';
import { createDealerPageBucket, createDealerPageFolder, type DealerPages } from './dealerPages.ts';

let folder: string;
let server: S3TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealer-pages-'));
  server = await startS3TestServer();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bucketOf = ({ url }: S3TestServer) =>
  new S3Bucket({
    bucket: 'site',
    prefix: 'photos/',
    region: 'us-east-1',
    endpoint: url,
    isPathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });

describe.each(['a folder', 'a bucket'])('dealers’ pages in %s', (storage) => {
  let pages: DealerPages;
  const write = async (name: string, html: string) => {
    if (storage === 'a bucket') return bucketOf(server).put(`content/dealer_diff/${name}.html`, html);
    mkdirSync(join(folder, 'content/dealer_diff'), { recursive: true });
    writeFileSync(join(folder, `content/dealer_diff/${name}.html`), html);
  };
  beforeEach(() => {
    pages =
      storage === 'a folder' ? createDealerPageFolder(folder) : createDealerPageBucket(bucketOf(server));
  });

  it('are read by the dealer’s id, and undefined for a dealer without one', async () => {
    await write('o1', '<p>Hi — é</p>');
    expect(await pages.read('o1')).toBe('<p>Hi — é</p>');
    expect(await pages.read('o2')).toBeUndefined();
  });

  it('are not looked for under an id that leads to another place', async () => {
    await write('o1', '<p>Hi</p>');
    for (const id of ['../dealer_diff/o1', 'o1/../o1', '', 'a'.repeat(65)])
      expect(await pages.read(id)).toBeUndefined();
  });
});

it('says which file of the bucket could not be read', async () => {
  const pages = createDealerPageBucket(bucketOf(server), 500);
  await server.close();
  await expect(pages.read('o1')).rejects.toMatchObject({
    code: 'DEALER_PAGES_UNAVAILABLE',
    message: expect.stringContaining('s3://site/photos/content/dealer_diff/o1.html'),
  });
  server = await startS3TestServer();
});
