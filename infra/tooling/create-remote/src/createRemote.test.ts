import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRemotePackage } from '@forecourt/build/defineRemote';
import ts from 'typescript';
import { addOwner } from './codeOwners.ts';
import { readPlacements } from './layoutFile.ts';
import { planRemote, REGISTERED_IN } from './planRemote.ts';
import { remoteNames } from './remoteNames.ts';
import { writeRemote } from './writeRemote.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

let root: string;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-create-'));
  for (const path of [...Object.values(REGISTERED_IN), '.prettierrc.json']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(root, path));
  }
  const contract = join(root, 'node_modules/@forecourt/shared-contracts');
  mkdirSync(contract, { recursive: true });
  cpSync(join(REPOSITORY, 'shared-contracts/package.json'), join(contract, 'package.json'));
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
  it('is a package that the build takes, with its slot', async () => {
    await create('dealer-map', 'nearby');
    expect(readRemotePackage(join(root, 'mfe-dealer-map'))).toMatchObject({
      name: 'mfe-dealer-map',
      slots: { nearby: './src/slots/nearby.tsx' },
    });
  });

  it('has no name of the template left, and no syntax error', async () => {
    const names = remoteNames('dealer-map');
    const created = (await planRemote(root, names)).filter(({ kind }) => kind === 'create');
    expect(created.map(({ path }) => path)).toContain('mfe-dealer-map/src/slots/dealer-map.test.tsx');
    for (const { path, text } of created) {
      expect(path + text).not.toMatch(/sample/i);
      if (/\.tsx?$/.test(path)) expect(syntaxErrorsOf(path, text)).toEqual([]);
    }
  });

  it('stands in the page once, and nothing else there changes', async () => {
    const before = readPlacements(read(REGISTERED_IN.layout));
    await create('dealer-map', 'nearby');
    const after = readPlacements(read(REGISTERED_IN.layout));
    expect(after.filter(({ slot }) => slot !== 'nearby')).toEqual(before);
    expect(after.filter(({ slot }) => slot === 'nearby')).toEqual([
      { slot: 'nearby', source: 'mfe-dealer-map' },
    ]);
    expect(after.at(after.findIndex(({ slot }) => slot === 'nearby') + 1)?.slot).toBe('related');
    expect(syntaxErrorsOf('layout.ts', read(REGISTERED_IN.layout))).toEqual([]);
  });

  it('adds to lockfile and CODEOWNERS and leaves every other line there', async () => {
    const lines = (path: string) => new Set(read(path).split('\n'));
    const before = { owners: lines(REGISTERED_IN.owners), lockfile: JSON.parse(read('package-lock.json')) };
    await create('dealer-map');
    const owners = lines(REGISTERED_IN.owners);
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

  it('is refused, and nothing changes, when its folder or its slot is there already', async () => {
    await create('dealer-map', 'nearby');
    const layout = read(REGISTERED_IN.layout);
    await expect(create('mfe-dealer-map')).rejects.toMatchObject({ code: 'REMOTE_EXISTS' });
    await expect(create('other', 'nearby')).rejects.toMatchObject({
      code: 'SLOT_TAKEN',
      message: expect.stringContaining('mfe-dealer-map'),
    });
    await expect(create('other', 'hero')).rejects.toMatchObject({ code: 'SLOT_TAKEN' });
    expect(read(REGISTERED_IN.layout)).toBe(layout);
  });

  it('is refused where the repository looks otherwise than expected', async () => {
    writeFileSync(join(root, REGISTERED_IN.layout), 'export const LAYOUT = layoutOf();\n');
    await expect(create('dealer-map')).rejects.toMatchObject({ code: 'REPOSITORY_UNEXPECTED' });
    rmSync(join(root, REGISTERED_IN.layout));
    await expect(create('dealer-map')).rejects.toMatchObject({ code: 'REPOSITORY_UNEXPECTED' });
  });
});

describe('names of a new remote', () => {
  it('follow from one another', () => {
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
    'refuse %j',
    (name) => {
      expect(() => remoteNames(name)).toThrow(expect.objectContaining({ code: 'NAME_INVALID' }));
    },
  );

  it.each(['Side', 'a--b', 'slot.test', '../x'])('refuse the slot %j', (slot) => {
    expect(() => remoteNames('ads', slot)).toThrow(expect.objectContaining({ code: 'NAME_INVALID' }));
  });
});

describe('the owners', () => {
  it('begin a list where there is none', () => {
    expect(addOwner('* @forecourt/platform\n', 'mfe-ads', 'ads')).toBe(
      '* @forecourt/platform\n/mfe-ads/ @forecourt/ads\n',
    );
  });
});
