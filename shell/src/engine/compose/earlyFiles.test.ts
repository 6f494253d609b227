import { describe, expect, it } from '@jest/globals';
import type { BootData } from '../universal/bootData.ts';
import { integrityOf, type LoadedRelease } from '../rendering/release.ts';
import { LIBRARY_PLAN, SHELF_LAYOUT } from '../testing/libraryPlan.ts';
import { asPageState, buildLibraryState } from '../testing/libraryState.ts';
import { bootJson } from './boot.ts';
import { createEarlyFiles } from './earlyFiles.ts';

const SHELL = {
  firstViewCss: '.shell{}',
  laterStyles: [{ url: '/assets/1/later.css', integrity: 'sha384-b' }],
};

/** A release of mfe-catalog, which fills two slots of the first view with one file of styles. */
function release(version: string): LoadedRelease {
  const slot = (expose: string) => ({
    expose,
    reads: [],
    loads: false,
    scripts: ['web/slots.js'],
    styles: ['web/slots.css', 'web/later.css'],
    laterStyles: ['web/later.css'],
  });
  const file = { integrity: `sha384-${'a'.repeat(64)}`, bytes: 1 };
  return {
    id: `mfe-catalog@${version}`,
    manifest: {
      schema: 1,
      name: 'mfe-catalog',
      version,
      contracts: { '@forecourt/slots': '1.0.0' },
      shared: {},
      entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
      slots: { filters: slot('./filters'), toolbar: slot('./toolbar') },
      files: {
        'web/remoteEntry.js': file,
        'web/slots.js': file,
        'web/slots.css': file,
        'web/later.css': file,
        'web/dialog.js': file,
        'node/remoteEntry.cjs': file,
      },
    },
    nodeSources: new Map(),
    webFiles: new Map([['web/slots.css', Buffer.from(`.of-${version.replaceAll('.', '-')}{}`)]]),
  };
}

describe('createEarlyFiles', () => {
  it('collects styles and scripts of a remote once for several slots', () => {
    const files = createEarlyFiles(
      SHELL,
      SHELF_LAYOUT,
      'shelf',
    )(new Map([['mfe-catalog', release('1.0.0')]]));
    expect(files.css).toBe('.shell{}\n.of-1-0-0{}');
    expect([...files.styles]).toEqual(['/remotes/mfe-catalog/1.0.0/web/slots.css']);
    expect(files.preloads.map(({ url }) => url)).toEqual([
      '/remotes/mfe-catalog/1.0.0/web/remoteEntry.js',
      '/remotes/mfe-catalog/1.0.0/web/slots.js',
    ]);
  });

  it('joins the entry of a remote with the chunk of its slots', () => {
    const { web, files } = { web: ['web/slots.js', 'web/remoteEntry.js'], files: release('1.0.0') };
    const webFiles = new Map([...files.webFiles, ...web.map((path) => [path, Buffer.from(path)] as const)]);
    const snapshotOf = (changes: object) => new Map([['mfe-catalog', { ...files, webFiles, ...changes }]]);
    const { preloads, entries } = createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf')(snapshotOf({}));
    const joined = {
      url: '/remotes/mfe-catalog/1.0.0/web/slots.js+remoteEntry.js',
      integrity: integrityOf(Buffer.from('web/slots.js\nweb/remoteEntry.js')),
    };
    expect(preloads).toEqual([joined]);
    expect(entries).toEqual(
      new Map([['mfe-catalog', { ...joined, chunk: '/remotes/mfe-catalog/1.0.0/web/slots.js' }]]),
    );
    // Another origin joins nothing.
    const elsewhere = snapshotOf({ id: 'elsewhere', filesFrom: 'http://localhost:3100' });
    expect(createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf')(elsewhere).entries.size).toBe(0);
  });

  it('contains the styles of a late slot in the first view, and preloads none of its scripts', () => {
    const layout = SHELF_LAYOUT.map((placement) => ({ ...placement, hydrate: 'afterFirstView' as const }));
    const files = createEarlyFiles(SHELL, layout, 'shelf')(new Map([['mfe-catalog', release('1.0.0')]]));
    expect(files.css).toBe('.shell{}\n.of-1-0-0{}');
    expect(files.preloads).toEqual([]);
  });

  it('contains the styles of slots below the main slot, apart from those of the head', () => {
    const whole = release('1.0.0');
    const { filters, toolbar } = whole.manifest.slots;
    const manifest = {
      ...whole.manifest,
      slots: { filters: { ...filters!, styles: ['web/slots.css', 'web/filters.css'] }, toolbar: toolbar! },
      files: { ...whole.manifest.files, 'web/filters.css': whole.manifest.files['web/slots.css']! },
    };
    const earlyFiles = createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf');
    const webFiles = new Map([...whole.webFiles, ['web/filters.css', Buffer.from('.below{}')]]);
    const { css, styles, styleBelow } = earlyFiles(
      new Map([['mfe-catalog', { ...whole, manifest, webFiles }]]),
    );
    expect(css).toBe('.shell{}\n.of-1-0-0{}');
    expect([...styles]).toEqual([
      '/remotes/mfe-catalog/1.0.0/web/slots.css',
      '/remotes/mfe-catalog/1.0.0/web/filters.css',
    ]);
    expect(styleBelow?.html).toBe('<style>\n.below{}</style>');
  });

  it('links styles that the first view does not need below it', () => {
    const files = createEarlyFiles(
      SHELL,
      SHELF_LAYOUT,
      'shelf',
    )(new Map([['mfe-catalog', release('1.0.0')]]));
    expect(files.laterStyles).toEqual([
      { url: '/assets/1/later.css', integrity: 'sha384-b' },
      { url: '/remotes/mfe-catalog/1.0.0/web/later.css', integrity: `sha384-${'a'.repeat(64)}` },
    ]);
  });

  it('returns separate files for each release', () => {
    const earlyFiles = createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf');
    const old = new Map([['mfe-catalog', release('1.0.0')]]);
    const first = earlyFiles(old);
    expect(earlyFiles(new Map([['mfe-catalog', release('1.1.0')]])).css).toContain('.of-1-1-0');
    expect(earlyFiles(old)).toBe(first);
  });

  it('evicts the least recently used snapshots', () => {
    const earlyFiles = createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf');
    const old = new Map([['mfe-catalog', release('1.0.0')]]);
    const first = earlyFiles(old);
    for (let minor = 1; minor <= 100; minor += 1)
      earlyFiles(new Map([['mfe-catalog', release(`1.${minor}.0`)]]));
    expect(earlyFiles(old)).not.toBe(first);
    expect(earlyFiles(old).css).toBe(first.css);
  });
});

describe('bootJson', () => {
  it('lists the integrity of the files that slots load, not of linked styles and files that releases load themselves', () => {
    const snapshot = new Map([['mfe-catalog', release('1.0.0')]]);
    const { styles, entries } = createEarlyFiles(SHELL, SHELF_LAYOUT, 'shelf')(snapshot);
    const outcomes = SHELF_LAYOUT.filter(({ slot }) => slot === 'filters').map((placement) => ({
      placement,
      release: snapshot.get('mfe-catalog'),
      rendered: undefined,
      completeness: 'full' as const,
    }));
    const json = bootJson(
      {
        site: LIBRARY_PLAN,
        state: asPageState(buildLibraryState()),
        outcomes,
        snapshot,
        linked: styles,
        entries,
        extension: undefined,
      },
      '"/content"',
    );
    const [remote] = (JSON.parse(json) as BootData).remotes;
    const integrity = `sha384-${'a'.repeat(64)}`;
    expect(remote).toMatchObject({ entry: '/remotes/mfe-catalog/1.0.0/web/remoteEntry.js' });
    expect(remote?.integrity).toEqual({
      '/remotes/mfe-catalog/1.0.0/web/remoteEntry.js': integrity,
      '/remotes/mfe-catalog/1.0.0/web/slots.js': integrity,
      '/remotes/mfe-catalog/1.0.0/web/later.css': integrity,
    });
  });
});
