import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderBucket } from './folderBucket.ts';

let root: string;
let bucket: FolderBucket;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'folder-bucket-'));
  bucket = await FolderBucket.open(root);
});
afterEach(() => rm(root, { recursive: true }));

const keysBelow = async (folder: string, after?: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of bucket.list(folder, after)) keys.push(key);
  return keys;
};

describe('FolderBucket', () => {
  it('returns what was put, also after it was replaced, and leaves no draft', async () => {
    await bucket.put('a/b/c.txt', 'first');
    await bucket.put('a/b/c.txt', Buffer.from('second'));
    expect(await bucket.readText('a/b/c.txt')).toBe('second');
    expect(await bucket.readBytes('a/b/c.txt')).toEqual(Buffer.from('second'));
    expect(await text((await bucket.open('a/b/c.txt'))!)).toBe('second');
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });

  it('returns undefined without an object', async () => {
    await bucket.put('a/b', 'text');
    for (const key of ['x', 'a/x', 'a/b/c']) {
      expect(await bucket.readText(key)).toBeUndefined();
      expect(await bucket.readBytes(key)).toBeUndefined();
      expect(await bucket.open(key)).toBeUndefined();
    }
    expect(await keysBelow('x/')).toEqual([]);
  });

  it('lists keys below a folder in order, also hidden ones, with the time of their last write', async () => {
    for (const key of ['b/2', 'b/1/x', 'b/.hidden', 'c/1', 'b/10']) await bucket.put(key, '');
    expect(await keysBelow('b/')).toEqual(['b/.hidden', 'b/1/x', 'b/10', 'b/2']);
    expect(await keysBelow('b/', 'b/10')).toEqual(['b/2']);
    for await (const { writtenAt } of bucket.list('c/'))
      expect(Math.abs(Date.now() - writtenAt!.getTime())).toBeLessThan(60_000);
  });

  it('removes an object and the folders that become empty', async () => {
    await bucket.put('a/b/c', '');
    await bucket.put('a/d', '');
    await bucket.remove('a/b/c');
    await bucket.remove('a/b/c');
    expect(await readdir(join(root, 'a'))).toEqual(['d']);
    await bucket.remove('a/d');
    expect((await readdir(root)).sort()).toEqual(['drafts']);
  });

  it('leaves no draft when a write fails', async () => {
    await bucket.put('a', 'a file where a folder should be');
    await expect(bucket.put('a/b', '')).rejects.toBeDefined();
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });

  it.each([0o000, 0o022])('writes files that only its own user can read, with the umask %o', async (mask) => {
    const umask = process.umask(mask);
    const inner = join(root, 'new/registry');
    await (await FolderBucket.open(inner)).put('a/b/c', 'secret');
    process.umask(umask);
    const modeOf = async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8);
    expect(await modeOf('new/registry/a/b/c')).toBe('600');
    for (const path of ['new', 'new/registry', 'new/registry/drafts', 'new/registry/a', 'new/registry/a/b'])
      expect([path, await modeOf(path)]).toEqual([path, '700']);
  });

  it('closes a folder that an earlier release left open to other users', async () => {
    await chmod(root, 0o755);
    await FolderBucket.open(root);
    expect((await stat(root)).mode & 0o777).toBe(0o700);
  });

  it('removes drafts of killed processes, but not young ones, which may be in use', async () => {
    const draft = join(root, 'drafts/dead');
    await writeFile(draft, 'half');
    await FolderBucket.open(root);
    expect(await readdir(join(root, 'drafts'))).toEqual(['dead']);
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
    await utimes(draft, yesterday, yesterday);
    await FolderBucket.open(root);
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });

  it.each(['../x', 'a/../../x', 'a/..\\x'])('rejects the key %s', async (key) => {
    await expect(bucket.put(key, '')).rejects.toThrow('is no key');
  });
});
