import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sampleContainer } from '@forecourt/release-kit/testing';
import { classTag } from '@forecourt/releases/ownNames';
import { afterEach, describe, expect, it } from '@jest/globals';
import { packBuild } from './packBuild.ts';

const CACHE = resolve(import.meta.dirname, '../../../../../.cache');

const FEDERATION = {
  name: 'sample',
  metaData: { globalName: 'sample', remoteEntry: { name: 'remoteEntry.js', path: '', type: 'var' } },
  exposes: [
    {
      path: './panel',
      assets: { js: { sync: ['panel.js'], async: [] }, css: { sync: ['panel.css'], async: [] } },
    },
  ],
};

const BUILD: Readonly<Record<string, string | object>> = {
  'package.json': {
    name: '@team/sample',
    version: '1.2.0',
    dependencies: {
      '@forecourt/slots': '^1.0.0',
      react: '^19.3.1',
      'react-dom': '^19.3.1',
      'react-redux': '^9.3.1',
    },
  },
  'dist/web/mf-manifest.json': FEDERATION,
  'dist/web/mf-stats.json': {},
  'dist/web/.vite/manifest.json': {},
  'dist/web/remoteEntry.js': sampleContainer('web'),
  'dist/web/remoteEntry.js.map': {},
  'dist/web/panel.js': '// panel',
  'dist/web/panel.css': `.panel-${classTag('sample')} { color: canvastext; }`,
  'dist/node/remoteEntry.cjs': sampleContainer('node'),
  'dist/node/mf-manifest.json': FEDERATION,
};

let directory = '';
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Packs the build with other files; `undefined` leaves one out. */
function pack(changes: Readonly<Record<string, string | object | undefined>> = {}) {
  mkdirSync(CACHE, { recursive: true });
  directory = mkdtempSync(join(CACHE, 'pack-'));
  for (const [path, content] of Object.entries({ ...BUILD, ...changes })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const folder = (name: string) => join(directory, name);
  const folders = { web: folder('dist/web'), node: folder('dist/node'), out: folder('release') };
  return packBuild({ directory, ...folders, version: undefined });
}

describe('packBuild', () => {
  it('writes a release with manifest and integrity, and with what its slots declare', async () => {
    const manifest = await pack();
    expect(manifest).toMatchObject({
      name: 'sample',
      version: expect.stringMatching(/^1\.2\.0-build\.x[0-9a-f]{12}$/) as unknown,
      contracts: { '@forecourt/slots': '1.0.0' },
      shared: { react: '^19.3.1', 'react/jsx-runtime': '^19.3.1', '@forecourt/slots': '^1.0.0' },
      entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
      slots: {
        panel: {
          expose: './panel',
          reads: ['search.listings'],
          loads: false,
          scripts: ['web/panel.js'],
          styles: ['web/panel.css'],
        },
      },
    });
    expect(Object.keys(manifest.files).sort()).toEqual([
      'node/remoteEntry.cjs',
      'web/mf-manifest.json',
      'web/panel.css',
      'web/panel.js',
      'web/remoteEntry.js',
    ]);
    expect(JSON.parse(readFileSync(join(directory, 'release/release.json'), 'utf8'))).toEqual(manifest);
  });

  it('gives a container that is an ES module an entry that is a script', async () => {
    const module = `${sampleContainer('web')}\nexport const init = (scope) => sample.init(scope);\nexport const get = (name) => sample.get(name);`;
    const manifest = await pack({ 'dist/web/remoteEntry.js': module });
    expect(manifest.entry).toEqual({
      web: 'web/forecourtEntry.js',
      node: 'node/remoteEntry.cjs',
      modules: ['web/panel.js', 'web/remoteEntry.js'],
    });
    const entry = readFileSync(join(directory, 'release/web/forecourtEntry.js'), 'utf8');
    for (const path of manifest.entry.modules ?? []) expect(entry).toContain(manifest.files[path]?.integrity);
    expect(readdirSync(join(directory, 'release/web'))).not.toContain('.vite');
  });

  const named = (name: string) => ({ ...FEDERATION, metaData: { ...FEDERATION.metaData, globalName: name } });
  it.each([
    ['NO_PACKAGE', { 'package.json': undefined }],
    ['REMOTE_NAME', { 'package.json': { ...(BUILD['package.json'] as object), name: '@team/Sample' } }],
    ['CONTRACT_MISSING', { 'package.json': { name: 'sample', version: '1.0.0' } }],
    ['FEDERATION_MANIFEST', { 'dist/web/mf-manifest.json': undefined }],
    ['FEDERATION_MANIFEST', { 'dist/web/mf-manifest.json': { name: 'sample' } }],
    ['CONTAINER_NAME', { 'dist/web/mf-manifest.json': named('other') }],
    ['NO_SLOTS', { 'dist/web/mf-manifest.json': { ...FEDERATION, exposes: [] } }],
    ['NODE_BUILD_MISSING', { 'dist/node/remoteEntry.cjs': undefined }],
    ['SECOND_COPY', { 'dist/web/panel.js': "globalThis.x = Symbol.for('react-redux-context')" }],
    ['STYLE_NOT_OWN', { 'dist/web/panel.css': '.panel { color: red; }' }],
    ['SCRIPT_UNGUARDED', { 'dist/web/later.js': '// later' }],
    [
      'MODULE_LOAD',
      { 'dist/node/remoteEntry.cjs': sampleContainer('node', "throw new Error('no such brand');") },
    ],
    [
      'BROWSER_LOAD',
      { 'dist/web/remoteEntry.js': sampleContainer('web', "throw new Error('no such brand');") },
    ],
    ['BROWSER_ENTRY', { 'dist/web/remoteEntry.js': 'self.other = {};' }],
    [
      'SHARE_SCOPE',
      { 'dist/web/remoteEntry.js': sampleContainer('web').replaceAll('scope[name]', 'scope.team[name]') },
    ],
  ])('says %s in one line', async (code, changes) => {
    const failure = await pack(changes).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code, message: expect.stringMatching(/^[^\n]+$/) as unknown });
  });
});
