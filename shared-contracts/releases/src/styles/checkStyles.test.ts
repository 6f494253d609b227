import { describe, expect, it } from '@jest/globals';
import type { Provides } from '../gate.ts';
import type { ReleaseManifest } from '../manifest.ts';
import { checkStyles } from './checkStyles.ts';
import { SHELL_OWNER, classTag } from './ownNames.ts';

const OWN = `.a${classTag('mfe-tiny')}{background:url(../pictures/a.svg)}`;
const FOREIGN = 'body{margin:0}';

function check(
  sheets: Record<string, string>,
  { slots = {}, provides }: { slots?: ReleaseManifest['slots']; provides?: Provides } = {},
) {
  const paths = [...Object.keys(sheets), 'web/pictures/a.svg'];
  const manifest: ReleaseManifest = {
    schema: 1,
    name: 'mfe-tiny',
    version: '1.0.0',
    contracts: {},
    shared: {},
    entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
    slots,
    files: Object.fromEntries(paths.map((path) => [path, { integrity: '', bytes: 1 }])),
  };
  const read = (path: string) => (path in sheets ? Buffer.from(sheets[path]!) : undefined);
  return checkStyles(manifest, read, provides);
}

const slot = (changes: object) => ({
  tiny: { expose: './tiny', reads: [], loads: false, scripts: [], styles: [], ...changes },
});
const providesFor = (...remotes: string[]): Provides => ({
  shared: {},
  contracts: { '@forecourt/slots': '1.0.0' },
  remotes: Object.fromEntries(remotes.map((remote) => [remote, { slots: [] }])),
  budgets: { remotes: {}, preset: { bytes: 1, reason: '' } },
});

/** Its classes end like those of `mfe-tiny`, found by trying names. */
const TWIN = 'mfe-248221';

describe('checkStyles', () => {
  it('accepts own style sheets, whose pictures are found from where the sheet is', () => {
    expect(check({ 'web/sheets/a.css': OWN, 'web/sheets/b.css': '' })).toEqual([]);
    expect(check({ 'web/a.css': OWN })).toHaveLength(1);
  });

  it.each([
    ['no slot links', 'web/a.css', {}],
    ['has a name in upper case', 'web/A.CSS', {}],
    ['a slot links by another kind of name', 'web/a.js', slot({ styles: ['web/a.js'] })],
    ['a slot links later', 'web/a.txt', slot({ laterStyles: ['web/a.txt'] })],
  ])('checks a style sheet that %s', (_, path, slots) => {
    expect(check({ [path]: FOREIGN }, { slots })).toEqual([
      expect.objectContaining({ rule: 'STYLE_NOT_OWN', found: `body in ${path}` }),
    ]);
  });

  it('reports at most ten rules, and no file that is too large to read', () => {
    expect(check({ 'web/a.css': FOREIGN.repeat(50) })).toHaveLength(10);
    expect(check({ 'web/a.css': ' '.repeat(500_001) })).toMatchObject([{ found: '500001 in web/a.css' }]);
  });

  it('refuses a remote whose classes end like those of another owner in the page', () => {
    expect(check({}, { provides: providesFor('mfe-tiny', 'mfe-other') })).toEqual([]);
    expect(check({}, { provides: providesFor('mfe-tiny', TWIN) })).toMatchObject([
      { rule: 'STYLE_NOT_OWN', expected: expect.stringContaining(TWIN) as unknown },
    ]);
  });

  it('has other tags for the shell, the contracts and the remotes of this repository', () => {
    const remotes = ['filters', 'leads', 'model-reference', 'results', 'showcase'].map(
      (name) => `mfe-${name}`,
    );
    const owners = [SHELL_OWNER, '@forecourt/slots', '@forecourt/search', ...remotes];
    expect(new Set(owners.map(classTag)).size).toBe(owners.length);
  });
});
