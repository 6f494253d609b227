import { describe, expect, it } from '@jest/globals';
import { releaseManifestSchema } from './manifest.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
const manifest = {
  schema: 1,
  name: 'mfe-x',
  version: '1.0.0-build.x1',
  contracts: { '@forecourt/slots': '1.0.0' },
  shared: {},
  entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
  slots: { panel: { expose: './panel', reads: [], loads: false, scripts: [], styles: [] } },
  files: { 'web/remoteEntry.js': { integrity, bytes: 1 } },
};

describe('release manifest', () => {
  it('accepts a manifest as the build writes it', () => {
    expect(releaseManifestSchema.parse(manifest)).toEqual(manifest);
  });

  it.each([
    ['a name that is a path', { name: '../mfe-x' }],
    ['a name with capitals', { name: 'Mfe' }],
    ['a version that is a path', { version: '1.0.0/..' }],
    ['a file outside of the release', { files: { 'web/../../x': { integrity, bytes: 1 } } }],
    ['an absolute file', { files: { '/etc/passwd': { integrity, bytes: 1 } } }],
    ['a file with a query', { files: { 'web/x.js?y': { integrity, bytes: 1 } } }],
    ['a weak integrity', { files: { 'web/x.js': { integrity: 'sha256-AAAA', bytes: 1 } } }],
    ['a negative size', { files: { 'web/x.js': { integrity, bytes: -1 } } }],
    ['an entry outside of the release', { entry: { web: '../x.js', node: 'node/x.cjs' } }],
    ['another schema', { schema: 2 }],
  ])('refuses a manifest with %s', (_, change) => {
    expect(releaseManifestSchema.safeParse({ ...manifest, ...change }).success).toBe(false);
  });
});
