import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { manifestBytesOf, type SampleRelease, sampleRelease } from './testing/releases.ts';
import { integrityOf, MAX_RELEASE_BYTES, MAX_RELEASE_FILES } from './releaseFiles.ts';
import { verifyRelease } from './verifyRelease.ts';

const verify = (release: SampleRelease) => verifyRelease(manifestBytesOf(release), release.files);

/** The sample with one more file, listed as it is. */
const withFile = (path: string, content = 'x') => sampleRelease({ files: { [path]: content } });

describe('verifyRelease', () => {
  it('accepts a release whose files match its manifest', () => {
    const release = sampleRelease();
    expect(verify(release).manifest).toEqual(release.manifest);
  });

  it('rejects a file that the manifest does not list', () => {
    const release = sampleRelease();
    release.files.set('web/extra.js', Buffer.from('1'));
    expect(() => verify(release)).toThrow("'web/extra.js' is not in the manifest");
  });

  it('rejects a release without a listed file', () => {
    const release = sampleRelease();
    release.files.delete('web/icon.svg');
    expect(() => verify(release)).toThrow("'web/icon.svg' is in the manifest but was not sent");
  });

  it('rejects changed bytes of the same length', () => {
    const release = sampleRelease({ files: { 'web/a.js': 'aaaa' } });
    release.files.set('web/a.js', Buffer.from('bbbb'));
    expect(() => verify(release)).toThrow('does not match its integrity');
  });

  it('rejects a file with another size than listed', () => {
    const release = sampleRelease();
    const file = release.manifest.files['web/icon.svg'];
    if (file) file.bytes += 1;
    expect(() => verify(release)).toThrow('the manifest says');
  });

  it.each([
    'web/../../escape.js',
    '/web/absolute.js',
    '.complete',
    'web/.hidden.js',
    './web/dotted.js',
    'web//empty.js',
    'web/folder/',
    'web/remoteEntry.js.br',
    'release.json',
    'web/panel.css/below-a-file.js',
    'web/REMOTEENTRY.js',
    'web/back\\slash.js',
    'web/nul\0.js',
  ])('rejects the path %j', (path) => {
    expect(() => verify(withFile(path))).toThrow(expect.objectContaining({ code: 'RELEASE_INVALID' }));
  });

  it('rejects an entry that is not among the files', () => {
    const release = sampleRelease();
    release.manifest.entry.node = 'node/other.js';
    expect(() => verify(release)).toThrow("names 'node/other.js'");
  });

  it('accepts files named like Object properties', () => {
    const release = sampleRelease();
    release.manifest.entry.web = 'constructor';
    expect(() => verify(release)).toThrow("names 'constructor'");
    const extra = sampleRelease();
    extra.files.set('toString', Buffer.from(''));
    expect(() => verify(extra)).toThrow("'toString' is not in the manifest");
  });

  it.each(['1.0', '01.0.0', '1.0.0/..', '../1.0.0', '1.0.0-..', ''])('rejects the version %j', (version) => {
    expect(() => verify(sampleRelease({ version }))).toThrow(
      expect.objectContaining({ code: 'RELEASE_INVALID' }),
    );
  });

  it('rejects more files or bytes than the limits', () => {
    const many = Object.fromEntries(
      Array.from({ length: MAX_RELEASE_FILES }, (_, index) => [`web/${index}.js`, '']),
    );
    expect(() => verify(sampleRelease({ files: many }))).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
    const large = { 'web/large.js': Buffer.alloc(MAX_RELEASE_BYTES) };
    expect(() => verify(sampleRelease({ files: large }))).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
  });

  it('accepts only paths inside the release', () => {
    const segment = fc.oneof(fc.constantFrom('..', '.', '', '~', 'a', '%2e%2e'), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = segments.join('/');
        const base = sampleRelease();
        const bytes = Buffer.from('x');
        const json = JSON.stringify({
          ...base.manifest,
          files: { ...base.manifest.files, [path]: { integrity: integrityOf(bytes), bytes: 1 } },
        });
        try {
          verifyRelease(Buffer.from(json), new Map([...base.files, [path, bytes]]));
        } catch {
          return;
        }
        const resolved = new URL(path, 'http://store/releases/sample/1.0.0/').pathname;
        expect(resolved).toBe(`/releases/sample/1.0.0/${path}`);
      }),
      { numRuns: 500 },
    );
  });
});
