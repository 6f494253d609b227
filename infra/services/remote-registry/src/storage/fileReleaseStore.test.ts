import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  manifestBytesOf,
  sampleRelease,
  type SampleRelease,
  temporaryDirectory,
} from '@forecourt/release-kit/testing';
import { addToStore } from '../releases/addToStore.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let store: FileReleaseStore;
beforeEach(async () => {
  root = await temporaryDirectory();
  store = await FileReleaseStore.open(root.path);
});
afterEach(() => root.remove());

const id = { name: 'sample', version: '1.0.0' };
const add = (release: SampleRelease = sampleRelease(), into = store) =>
  addToStore(into, { manifestBytes: manifestBytesOf(release), files: release.files }, { brotliQuality: 5 });
const folder = () => join(root.path, 'releases/sample/1.0.0');

describe('FileReleaseStore', () => {
  it('returns the added release', async () => {
    const release = sampleRelease();
    await add(release);
    expect((await store.findRelease(id))?.manifest).toEqual(release.manifest);
    expect(await store.listReleases()).toEqual([id]);
    const stream = await store.openFile(id, 'web/icon.svg', 'identity');
    expect(stream && (await text(stream))).toBe(release.files.get('web/icon.svg')?.toString());
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('accepts exactly one of many concurrent publishes, also across processes', async () => {
    const other = await FileReleaseStore.open(root.path);
    const attempts = Array.from({ length: 8 }, (_, index) =>
      add(sampleRelease({ files: { 'web/icon.svg': `publisher ${index}` } }), index % 2 ? store : other),
    );
    const outcomes = await Promise.allSettled(attempts);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(losers.map(({ reason }) => reason.code)).toEqual(
      Array.from({ length: 7 }, () => 'RELEASE_EXISTS'),
    );
    expect(await readFile(join(folder(), 'web/icon.svg'), 'utf8')).toBe(`publisher ${winner}`);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('ignores a release without a marker and lets a publish replace it', async () => {
    await add();
    await rm(join(folder(), '.complete'));
    expect(await store.findRelease(id)).toBeUndefined();
    expect(await store.listReleases()).toEqual([]);
    const release = sampleRelease({ files: { 'web/icon.svg': 'second try' } });
    await add(release);
    expect((await store.findRelease(id))?.manifest).toEqual(release.manifest);
  });

  it('ignores and removes the draft of a crashed publish', async () => {
    const draft = join(root.path, 'drafts/dead');
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, 'release.json'), manifestBytesOf(sampleRelease()));
    const reopened = await FileReleaseStore.open(root.path);
    expect(await reopened.listReleases()).toEqual([]);
    // Young drafts may belong to a publisher at work, old ones go.
    expect(await readdir(join(root.path, 'drafts'))).toEqual(['dead']);
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
    await utimes(draft, yesterday, yesterday);
    await FileReleaseStore.open(root.path);
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('leaves no files when a write fails', async () => {
    await writeFile(join(root.path, 'releases/sample'), 'a file where a folder should be');
    await expect(add()).rejects.toBeDefined();
    expect(await readdir(join(root.path, 'drafts'))).toEqual([]);
  });

  it('reports a damaged manifest', async () => {
    await add();
    await writeFile(join(folder(), 'release.json'), '{"schema":1');
    const fresh = await FileReleaseStore.open(root.path);
    await expect(fresh.findRelease(id)).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
  });

  it('omits a release that an operator deleted', async () => {
    await add();
    expect(await store.findRelease(id)).toBeDefined();
    await rm(folder(), { recursive: true });
    expect(await store.findRelease(id)).toBeUndefined();
  });

  it('ignores folders that are not releases', async () => {
    await mkdir(join(root.path, 'releases/.trash/1.0.0'), { recursive: true });
    await mkdir(join(root.path, 'releases/sample/backup'), { recursive: true });
    await writeFile(join(root.path, 'releases/notes'), '');
    expect(await store.listReleases()).toEqual([]);
  });
});
