import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRemotePackage } from './defineRemote.ts';
import { integrityOf } from './buildRelease.ts';
import { containerName, packageOf, SHARED_MODULES } from './shared.ts';

let root: string;
const ranges = Object.fromEntries(SHARED_MODULES.map((module) => [packageOf(module), '^1.0.0']));
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
  mkdirSync(join(root, 'shared-contracts'));
  writeFileSync(
    join(root, 'shared-contracts/package.json'),
    '{"name":"@forecourt/shared-contracts","version":"1.4.0"}',
  );
  for (const file of ['panel.tsx', 'location-editor.ts', 'panel.test.tsx', 'panel.module.css', 'Helper.tsx'])
    writeFileSync(join(root, 'mfe-tiny/src/slots', file), '');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('what the build reads from a remote', () => {
  it('is its name without scope, the contract, and a slot for each module of src/slots', () => {
    writePackage(ranges);
    expect(readRemotePackage(join(root, 'mfe-tiny'), root)).toMatchObject({
      name: 'mfe-tiny',
      version: '0.3.0',
      contract: '1.4.0',
      slots: { panel: './src/slots/panel.tsx', 'location-editor': './src/slots/location-editor.ts' },
    });
  });

  it('has no slots of tests, styles and components', () => {
    writePackage(ranges);
    expect(Object.keys(readRemotePackage(join(root, 'mfe-tiny'), root).slots).sort()).toEqual([
      'location-editor',
      'panel',
    ]);
  });

  it('has the remote’s own range for each shared module', () => {
    writePackage({ ...ranges, react: '^19.3.1' });
    const { shared } = readRemotePackage(join(root, 'mfe-tiny'), root);
    expect(shared['react/jsx-runtime']).toBe('^19.3.1');
    expect(Object.keys(shared)).toEqual([...SHARED_MODULES]);
  });

  it('is refused when a shared library has no declared range', () => {
    const { 'react-redux': _missing, ...others } = ranges;
    writePackage(others);
    expect(() => readRemotePackage(join(root, 'mfe-tiny'), root)).toThrow(
      '@forecourt/mfe-tiny must depend on react-redux',
    );
  });
});

describe('names of the build', () => {
  it('finds the package of a module', () => {
    expect(packageOf('react-dom/client')).toBe('react-dom');
    expect(packageOf('@forecourt/shared-contracts/ui')).toBe('@forecourt/shared-contracts');
  });

  it('makes an identifier of a remote’s name', () => {
    expect(containerName('mfe-model-reference')).toBe('mfe_model_reference');
  });

  it('computes integrity as browsers do', () => {
    // Of the empty file, from the SHA-384 test vectors.
    expect(integrityOf(Buffer.alloc(0))).toBe(
      'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
    );
  });
});
