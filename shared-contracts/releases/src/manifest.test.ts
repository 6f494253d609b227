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

  const slot = manifest.slots.panel;

  it.each([
    'panel',
    'location-editor',
    'model-reference',
    'a',
    'spin360',
    'constructor',
    'slots',
    'a'.repeat(40),
  ])('accepts a slot called %s', (name) => {
    const slots = { [name]: slot };
    expect(releaseManifestSchema.parse({ ...manifest, slots }).slots).toEqual(slots);
  });

  it.each([
    ['nothing', ''],
    ['markup', '"><script>alert(1)</script>'],
    ['a quote', 'panel" onload="x'],
    ['a path', '../panel'],
    ['a selector', 'panel,body'],
    ['a rule of CSS', 'panel{}'],
    ['a space', 'my panel'],
    ['a line break', 'panel\n'],
    ['a sequence for terminals', 'panel\u001b[2J'],
    ['capitals', 'Panel'],
    ['a digit in front', '1panel'],
    ['a hyphen in front', '-panel'],
    ['a letter that looks the same', 'pаnel'],
    ['too many letters', 'a'.repeat(41)],
    ['the prefix of slot elements', 'slot'],
    ['the ids of the page', 'fc-boot'],
  ])('refuses a slot whose name is or has %s', (_, name) => {
    const slots = { ...manifest.slots, [name]: slot };
    expect(releaseManifestSchema.safeParse({ ...manifest, slots }).success).toBe(false);
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
