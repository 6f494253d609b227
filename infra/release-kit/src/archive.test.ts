import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from 'tar';
import { manifestBytesOf, sampleRelease, temporaryDirectory, writeRelease } from './testing/releases.ts';
import { packArchive, unpackArchive } from './archive.ts';
import { MAX_RELEASE_BYTES, MAX_RELEASE_FILES } from './releaseFiles.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const tarOf = async (paths: string[], options = {}) =>
  Buffer.from(await create({ cwd: directory.path, gzip: true, ...options }, paths).concat());

describe('an archive', () => {
  it('unpacks an archive with the same content', async () => {
    const release = sampleRelease({
      files: { [`web/${'long/'.repeat(40)}name.js`]: 'deep', 'web/empty.js': '' },
    });
    await writeRelease(directory.path, release);
    const unpacked = await unpackArchive(await packArchive(directory.path, [...release.files.keys()]));
    expect(unpacked.manifestBytes).toEqual(manifestBytesOf(release));
    expect(unpacked.files).toEqual(release.files);
  });

  it('accepts an archive created with plain tar', async () => {
    const release = sampleRelease();
    await writeRelease(directory.path, release);
    expect((await unpackArchive(await tarOf(['.']))).files).toEqual(release.files);
  });

  it('rejects an archive that contains a symbolic link', async () => {
    await writeFile(join(directory.path, 'release.json'), '{}');
    await symlink('/etc/passwd', join(directory.path, 'web.js'));
    await expect(unpackArchive(await tarOf(['release.json', 'web.js']))).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      message: expect.stringContaining('SymbolicLink'),
    });
  });

  it('rejects an archive that contains a hard link', async () => {
    await writeFile(join(directory.path, 'release.json'), '{}');
    await link(join(directory.path, 'release.json'), join(directory.path, 'web.js'));
    const plain = await tarOf(['release.json', 'web.js'], { gzip: false, jobs: 1 });
    await expect(unpackArchive(gzipSync(plain))).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      message: expect.stringContaining(' is a Link;'),
    });
  });

  it('rejects an archive that contains a path twice', async () => {
    await writeFile(join(directory.path, 'release.json'), '{}');
    await expect(unpackArchive(await tarOf(['release.json', './release.json']))).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      message: expect.stringContaining('occurs twice'),
    });
  });

  it('rejects an archive with more files than the limit', async () => {
    const files = Object.fromEntries(
      Array.from({ length: MAX_RELEASE_FILES + 1 }, (_, index) => [`web/${index}.js`, '']),
    );
    await writeRelease(directory.path, sampleRelease({ files }));
    await expect(unpackArchive(await tarOf(['release.json', 'web']))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });

  it("treats a path with '..' as a key, which verification rejects", async () => {
    await mkdir(join(directory.path, 'inner'));
    await writeFile(join(directory.path, 'evil.js'), 'evil');
    await writeFile(join(directory.path, 'inner/release.json'), '{}');
    const archive = await tarOf(['release.json', '../evil.js'], {
      cwd: join(directory.path, 'inner'),
      preservePaths: true,
    });
    expect([...(await unpackArchive(archive)).files.keys()]).toEqual(['../evil.js']);
  });

  it.each([
    ['plain text', Buffer.from('hello')],
    ['empty', Buffer.alloc(0)],
    ['gzip of text', gzipSync('hello '.repeat(500))],
    ['gzip of nothing', gzipSync('')],
  ])('rejects an archive that is %s', async (_name, bytes) => {
    await expect(unpackArchive(bytes)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
  });

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
    ['broken gzip', (bytes: Buffer) => gzipSync(bytes).subarray(0, 40)],
  ])('rejects an archive that is compressed again, as %s', async (_name, compress) => {
    const release = sampleRelease();
    await writeRelease(directory.path, release);
    const plain = await tarOf(['release.json', 'web'], { gzip: false });
    await expect(unpackArchive(gzipSync(compress(plain)))).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      message: 'the archive is compressed twice',
    });
  });

  it('rejects an archive with any byte changed by its code, or reads it', async () => {
    const release = sampleRelease();
    await writeRelease(directory.path, release);
    const plain = await tarOf(['release.json', 'web'], { gzip: false });
    for (let at = 0; at < 1024; at += 7) {
      const changed = Buffer.from(plain);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      const code = await unpackArchive(gzipSync(changed)).then(
        () => 'read',
        (error: { readonly code?: unknown }) => error.code,
      );
      expect(['ARCHIVE_INVALID', 'read']).toContain(code);
    }
  });

  it('rejects a truncated archive', async () => {
    const release = sampleRelease({ files: { 'web/big.js': 'x'.repeat(50_000) } });
    await writeRelease(directory.path, release);
    const whole = Buffer.from(await create({ cwd: directory.path }, ['release.json', 'web']).concat());
    await expect(unpackArchive(gzipSync(whole.subarray(0, whole.length - 30_000)))).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
    });
  });

  it('rejects an archive that unpacks to more than the size limit', async () => {
    await expect(unpackArchive(gzipSync(Buffer.alloc(MAX_RELEASE_BYTES * 2)))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });
});
