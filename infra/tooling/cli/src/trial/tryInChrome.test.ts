import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findChrome, openTrialBrowser } from './tryInChrome.ts';

describe('findChrome', () => {
  it('takes CHROME_BIN before the path, and finds none in an empty one', () => {
    expect(findChrome({ CHROME_BIN: '/opt/chrome', PATH: process.env['PATH'] })).toBe('/opt/chrome');
    expect(findChrome({ PATH: '' })).toBeUndefined();
  });
});

describe('openTrialBrowser', () => {
  it('says which browser does not start, and what to set', async () => {
    const script = Promise.resolve('');
    await expect(
      openTrialBrowser(join(import.meta.dirname, 'no-such-chrome'), { script }),
    ).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      message: expect.stringContaining('set CHROME_BIN'),
    });
  });
});
