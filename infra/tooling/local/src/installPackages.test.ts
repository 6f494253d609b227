import { describe, expect, it } from '@jest/globals';
import { explainInstallFailure, isUpToDate } from './installPackages.mjs';

const locked = {
  '': {},
  'mfe-results': { version: '1.0.0' },
  'node_modules/react': { version: '19.3.1', integrity: 'sha512-a' },
  'node_modules/native-darwin-arm64': { version: '1.0.0', optional: true },
  'node_modules/unused-peer': { version: '1.0.0', peer: true },
};

describe('isUpToDate', () => {
  it('returns true when all packages but unused peers and those for other platforms are installed', () => {
    expect(isUpToDate(locked, { 'node_modules/react': { version: '19.3.1', integrity: 'sha512-a' } })).toBe(
      true,
    );
  });

  it.each([
    ['nothing is installed, or npm did not finish', undefined],
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/react': { version: '19.3.0' } }],
    ['a package has other content', { 'node_modules/react': { version: '19.3.1', integrity: 'sha512-b' } }],
  ])('returns false when %s', (_case, installed) => {
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
    ['npm error code EACCES', /no permission/],
    ['npm error code EUSAGE\nnpm error `npm ci` can only install packages when', /npm run lockfile/],
  ])('explains %j in one line', (output, advice) => {
    const line = explainInstallFailure(output);
    expect(line).toMatch(advice);
    expect(line).not.toContain('\n');
  });

  it('repeats the output of npm for an unknown error', () => {
    expect(explainInstallFailure('npm error code E418\nnpm error teapot')).toContain('teapot');
  });
});
