import { describe, expect, it } from '@jest/globals';
import { explainInstallFailure, isUpToDate } from './installPackages.mjs';

const locked = {
  '': {},
  'mfe-results': { version: '1.0.0' },
  'node_modules/react': { version: '19.3.1', integrity: 'sha512-a' },
  'node_modules/native-darwin-arm64': { version: '1.0.0', optional: true },
};

describe('isUpToDate', () => {
  it('accepts what the lockfile asks for, without the packages of other platforms', () => {
    expect(isUpToDate(locked, { 'node_modules/react': { version: '19.3.1', integrity: 'sha512-a' } })).toBe(
      true,
    );
  });

  it.each([
    ['nothing is installed, or npm did not finish', undefined],
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/react': { version: '19.3.0' } }],
    ['a package has other content', { 'node_modules/react': { version: '19.3.1', integrity: 'sha512-b' } }],
  ])('says no when %s', (_case, installed) => {
    expect(isUpToDate(locked, installed)).toBe(false);
  });
});

describe('explainInstallFailure', () => {
  it.each([
    [
      'npm error code ENOTFOUND\nnpm error network request to https://r.example failed',
      /registry cannot be reached \(ENOTFOUND\)/,
    ],
    ['npm error code ECONNREFUSED', /registry cannot be reached/],
    ['npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', /disk is full/],
    ['npm error code EACCES', /No right|no right/],
    ['npm error code EUSAGE\nnpm error `npm ci` can only install packages when', /npm run lockfile/],
  ])('says what to do about %j in one line', (output, advice) => {
    const line = explainInstallFailure(output);
    expect(line).toMatch(advice);
    expect(line).not.toContain('\n');
  });

  it('repeats npm when the case is new', () => {
    expect(explainInstallFailure('npm error code E418\nnpm error teapot')).toContain('teapot');
  });
});
