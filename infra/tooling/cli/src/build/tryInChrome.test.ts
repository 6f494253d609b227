import {
  sampleContainer,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import { describe, expect, it } from '@jest/globals';
import { findChrome, tryInChrome } from './tryInChrome.ts';

const chrome = findChrome(process.env);
if (chrome === undefined) it.skip('skipped: there is no Chrome, nor CHROME_BIN', () => undefined);

const SHARED = [
  { name: 'react', version: '19.3.1' },
  { name: '@forecourt/slots', version: '1.0.0' },
];

/** Refusals of the sample release with this entry for browsers. */
async function tryEntry(entry: string) {
  const folder = await temporaryDirectory();
  const release = sampleRelease({ files: { 'web/remoteEntry.js': entry } });
  await writeRelease(folder.path, release);
  try {
    return await tryInChrome({ dist: folder.path, manifest: release.manifest, shared: SHARED }, chrome ?? '');
  } finally {
    await folder.remove();
  }
}

describe('findChrome', () => {
  it('takes CHROME_BIN before the path, and finds none in an empty one', () => {
    expect(findChrome({ CHROME_BIN: '/opt/chrome', PATH: process.env['PATH'] })).toBe('/opt/chrome');
    expect(findChrome({ PATH: '' })).toBeUndefined();
  });

  it('says how to name another browser when this one does not start', async () => {
    const { manifest } = sampleRelease();
    await expect(
      tryInChrome({ dist: '/tmp', manifest, shared: SHARED }, '/no/such/chrome'),
    ).rejects.toMatchObject({ code: 'BROWSER_UNUSABLE', message: expect.stringContaining('set CHROME_BIN') });
  });
});

(chrome === undefined ? describe.skip : describe)('a release in Chrome', () => {
  it('is accepted when its entry runs and its slots are slots', async () => {
    expect(await tryEntry(sampleContainer('web'))).toEqual([]);
  }, 60_000);
});
