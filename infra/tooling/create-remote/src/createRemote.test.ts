import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRemotePackage } from '@forecourt/build/defineRemote';
import { findLayoutFile } from '@forecourt/cli/provides';
import ts from 'typescript';
import {
  OWNERS,
  addOwner,
  planRemote,
  planSlot,
  writeChanges,
  writeRemote,
  readPlacements,
} from './planRemote.ts';
import { remoteNames } from './names.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const LAYOUT = findLayoutFile(REPOSITORY)!;

let root: string;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-create-'));
  for (const path of [LAYOUT, OWNERS, 'package-lock.json', '.oxfmtrc.json']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(root, path));
  }
  for (const name of ['search', 'slots']) {
    const contract = join(root, 'node_modules/@forecourt', name);
    mkdirSync(contract, { recursive: true });
    cpSync(join(REPOSITORY, 'shared-contracts', name, 'package.json'), join(contract, 'package.json'));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

async function create(name: string, slot?: string): Promise<void> {
  const names = remoteNames(name, slot);
  writeRemote(root, names.remote, await planRemote(root, names));
}

const syntaxErrorsOf = (path: string, text: string): string[] =>
  (
    ts.transpileModule(text, { fileName: path, reportDiagnostics: true, compilerOptions: { jsx: 4 } })
      .diagnostics ?? []
  ).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));

describe('a new remote', () => {
  it('creates a remote with one slot that the build accepts', async () => {
    await create('dealer-map', 'nearby');
    expect(readRemotePackage(join(root, 'mfe-dealer-map'))).toMatchObject({
      name: 'mfe-dealer-map',
      slots: { nearby: './src/slots/nearby.tsx' },
    });
  });

  it('leaves no template names or syntax errors in a new remote', async () => {
    const names = remoteNames('dealer-map');
    const created = (await planRemote(root, names)).filter(({ kind }) => kind === 'create');
    expect(created.map(({ path }) => path)).toContain('mfe-dealer-map/src/slots/dealer-map.test.tsx');
    for (const { path, text } of created) {
      expect(path + text).not.toMatch(/sample/i);
      if (/\.tsx?$/.test(path)) expect(syntaxErrorsOf(path, text)).toEqual([]);
    }
  });

  it('places a new remote in the page layout once and changes nothing else there', async () => {
    const before = readPlacements(read(LAYOUT));
    await create('dealer-map', 'nearby');
    const after = readPlacements(read(LAYOUT));
    expect(after.filter(({ slot }) => slot !== 'nearby')).toEqual(before);
    expect(after.filter(({ slot }) => slot === 'nearby')).toEqual([
      { slot: 'nearby', source: 'mfe-dealer-map' },
    ]);
    expect(after.at(after.findIndex(({ slot }) => slot === 'nearby') + 1)?.slot).toBe('related');
    expect(syntaxErrorsOf('layout.ts', read(LAYOUT))).toEqual([]);
  });

  it('adds a new remote to the lockfile and CODEOWNERS without changing other lines', async () => {
    const lines = (path: string) => new Set(read(path).split('\n'));
    const before = { owners: lines(OWNERS), lockfile: JSON.parse(read('package-lock.json')) };
    await create('dealer-map');
    const owners = lines(OWNERS);
    expect([...before.owners].filter((line) => !owners.has(line))).toEqual([]);
    expect([...owners].filter((line) => !before.owners.has(line))).toEqual([
      expect.stringMatching(/^\/mfe-dealer-map\/ +@forecourt\/dealer-map$/),
    ]);
    const { packages, ...rest } = JSON.parse(read('package-lock.json'));
    expect(packages).toMatchObject(before.lockfile.packages);
    expect(Object.keys({ packages, ...rest }).sort()).toEqual(Object.keys(before.lockfile).sort());
    expect(packages['node_modules/@forecourt/mfe-dealer-map']).toEqual({
      resolved: 'mfe-dealer-map',
      link: true,
    });
  });

  it("changes nothing when the remote's folder or slot exists", async () => {
    await create('dealer-map', 'nearby');
    const layout = read(LAYOUT);
    await expect(create('mfe-dealer-map')).rejects.toMatchObject({ code: 'REMOTE_EXISTS' });
    await expect(create('other', 'nearby')).rejects.toMatchObject({
      code: 'SLOT_TAKEN',
      message: expect.stringContaining('mfe-dealer-map'),
    });
    await expect(create('other', 'hero')).rejects.toMatchObject({ code: 'SLOT_TAKEN' });
    expect(read(LAYOUT)).toBe(layout);
  });

  it('rejects a new remote when the repository has no layout table', async () => {
    writeFileSync(join(root, LAYOUT), 'export const LAYOUT = layoutOf();\n');
    await expect(create('dealer-map')).rejects.toMatchObject({ code: 'REPOSITORY_UNEXPECTED' });
    rmSync(join(root, LAYOUT));
    await expect(create('dealer-map')).rejects.toMatchObject({ code: 'REPOSITORY_UNEXPECTED' });
  });
});

describe('a new slot', () => {
  const filesBelow = (): Map<string, string> =>
    new Map(
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
    );

  it('changes three files for a new slot: the slot, its test and the page layout', async () => {
    await create('dealer-map');
    const before = filesBelow();
    writeChanges(root, await planSlot(root, remoteNames('mfe-dealer-map', 'opening-hours')));
    const touched = [...filesBelow()].filter(([path, text]) => before.get(path) !== text);
    expect(touched.map(([path]) => path).sort()).toEqual([
      'mfe-dealer-map/src/slots/opening-hours.test.tsx',
      'mfe-dealer-map/src/slots/opening-hours.tsx',
      LAYOUT,
    ]);
    expect(readRemotePackage(join(root, 'mfe-dealer-map')).slots).toHaveProperty('opening-hours');
    expect(readPlacements(read(LAYOUT))).toContainEqual({ slot: 'opening-hours', source: 'mfe-dealer-map' });
    for (const [path, text] of touched) {
      expect(text).not.toMatch(/sample/i);
      expect(syntaxErrorsOf(path, text)).toEqual([]);
    }
  });

  it('rejects a new slot when the remote is unknown or the slot is taken', async () => {
    await create('dealer-map');
    await expect(planSlot(root, remoteNames('nowhere', 'hours'))).rejects.toMatchObject({
      code: 'REMOTE_UNKNOWN',
    });
    for (const slot of ['dealer-map', 'results'])
      await expect(planSlot(root, remoteNames('dealer-map', slot))).rejects.toMatchObject({
        code: 'SLOT_TAKEN',
      });
  });
});

describe('remoteNames', () => {
  it('derives slot, component, title and team from the name', () => {
    expect(remoteNames('dealer-map2')).toEqual(remoteNames('mfe-dealer-map2', 'dealer-map2'));
    expect(remoteNames('ads', 'side-banner')).toEqual({
      remote: 'mfe-ads',
      slot: 'side-banner',
      component: 'SideBanner',
      title: 'Side banner',
      team: 'ads',
    });
  });

  it.each(['', 'Ads', '9ads', 'ads-', 'a--b', '../ads', 'a b', 'a_b', 'x'.repeat(40), 'mfe-'])(
    'rejects the remote name %j',
    (name) => {
      expect(() => remoteNames(name)).toThrow(expect.objectContaining({ code: 'NAME_INVALID' }));
    },
  );

  it.each(['Side', 'a--b', 'slot.test', '../x'])('rejects the slot name %j', (slot) => {
    expect(() => remoteNames('ads', slot)).toThrow(expect.objectContaining({ code: 'NAME_INVALID' }));
  });
});

describe('addOwner', () => {
  it('starts a CODEOWNERS list when there is none', () => {
    expect(addOwner('* @forecourt/platform\n', 'mfe-ads', 'ads')).toBe(
      '* @forecourt/platform\n/mfe-ads/ @forecourt/ads\n',
    );
  });
});
