import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRemotePackage } from './defineRemote.ts';
import { integrityOf } from './buildRelease.ts';
import { containerGlobal } from '@forecourt/releases/containerNames';
import { packageOf, workspaceRoot } from './sharedModules.ts';

let root: string;
const CONTRACT = {
  name: '@forecourt/slots',
  version: '1.4.0',
  forecourt: { sharedModules: ['react', 'react/jsx-runtime', 'react-redux', '@forecourt/slots/ui'] },
};
const { sharedModules } = CONTRACT.forecourt;
const ranges = Object.fromEntries(sharedModules.map((module) => [packageOf(module), '^1.0.0']));
function writePackage(dependencies: Record<string, string>) {
  const name = '@forecourt/mfe-tiny';
  writeFileSync(
    join(root, 'mfe-tiny/package.json'),
    JSON.stringify({ name, version: '0.3.0', dependencies }),
  );
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-build-'));
  mkdirSync(join(root, 'mfe-tiny/src/slots'), { recursive: true });
  const contract = join(root, 'mfe-tiny/node_modules', CONTRACT.name);
  mkdirSync(contract, { recursive: true });
  writeFileSync(join(contract, 'package.json'), JSON.stringify(CONTRACT));
  for (const file of ['panel.tsx', 'location-editor.ts', 'panel.test.tsx', 'panel.module.css', 'Helper.tsx'])
    writeFileSync(join(root, 'mfe-tiny/src/slots', file), '');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('readRemotePackage', () => {
  it('reads the name without scope, the contract versions, and a slot for each module in src/slots', () => {
    writePackage(ranges);
    expect(readRemotePackage(join(root, 'mfe-tiny'))).toMatchObject({
      name: 'mfe-tiny',
      version: '0.3.0',
      contracts: { '@forecourt/slots': '1.4.0' },
      slots: { panel: './src/slots/panel.tsx', 'location-editor': './src/slots/location-editor.ts' },
    });
  });

  it('ignores tests, styles and components in src/slots', () => {
    writePackage(ranges);
    expect(Object.keys(readRemotePackage(join(root, 'mfe-tiny')).slots).sort()).toEqual([
      'location-editor',
      'panel',
    ]);
  });

  it("reads the range of each shared module from the remote's package.json", () => {
    writePackage({ ...ranges, react: '^19.3.1' });
    const { shared } = readRemotePackage(join(root, 'mfe-tiny'));
    expect(shared['react/jsx-runtime']).toBe('^19.3.1');
    expect(Object.keys(shared)).toEqual(sharedModules);
  });

  it('uses the installed version when the dependency is a tarball', () => {
    writePackage({ ...ranges, '@forecourt/slots': 'file:../slots.tgz' });
    const { shared } = readRemotePackage(join(root, 'mfe-tiny'));
    expect(shared['@forecourt/slots/ui']).toBe('^1.4.0');
  });

  it('throws when the remote does not depend on a shared library', () => {
    const { 'react-redux': _missing, ...others } = ranges;
    writePackage(others);
    expect(() => readRemotePackage(join(root, 'mfe-tiny'))).toThrow(
      '@forecourt/mfe-tiny must depend on react-redux',
    );
  });
});

describe('names of the build', () => {
  it('finds the package of a module', () => {
    expect(packageOf('react-dom/client')).toBe('react-dom');
    expect(packageOf('@forecourt/slots/ui')).toBe('@forecourt/slots');
  });

  it('uses the workspace around a package as its root, and a package without one as its own root', () => {
    writePackage(ranges);
    expect(workspaceRoot(join(root, 'mfe-tiny'))).toBe(join(root, 'mfe-tiny'));
    writeFileSync(join(root, 'package.json'), JSON.stringify({ workspaces: ['mfe-*'] }));
    expect(workspaceRoot(join(root, 'mfe-tiny'))).toBe(root);
  });

  it("converts a remote's name to an identifier", () => {
    expect(containerGlobal('mfe-model-reference')).toBe('mfe_model_reference');
  });

  it('computes integrity as browsers do', () => {
    // Of the empty file, from the SHA-384 test vectors.
    expect(integrityOf(Buffer.alloc(0))).toBe(
      'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
    );
  });
});
