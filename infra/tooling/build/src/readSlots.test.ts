import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RemotePackage } from './defineRemote.ts';
import { readSlots } from './readSlots.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');
/** Some native code that runs here. */
const ADDON = join(
  REPOSITORY,
  `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`,
);

let dist: string;
beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'forecourt-slots-'));
  mkdirSync(join(dist, 'node'));
});
afterAll(() => rmSync(dist, { recursive: true }));

/** Reads a build with one slot, whose module runs this code when it is loaded. */
async function read(atLoad: string) {
  const entry = `
    ${atLoad}
    exports.init = () => {};
    exports.get = async () => () => ({ default: { kind: 'forecourt.slot', reads: [String(seen)] } });`;
  writeFileSync(join(dist, 'node/remoteEntry.cjs'), entry);
  const remote = { directory: join(REPOSITORY, 'mfe-showcase'), shared: {}, slots: { tiny: '' } };
  const facts = await readSlots(dist, remote as unknown as RemotePackage);
  return facts['tiny']?.reads[0];
}

describe('a build whose modules run hostile code when they are loaded', () => {
  it('does not see the environment of the build', async () => {
    process.env['PUBLISH_TOKEN'] = 'secret';
    expect(await read('const seen = JSON.stringify(process.env)')).toBe('{"NODE_ENV":"production"}');
    delete process.env['PUBLISH_TOKEN'];
  });

  it.each([
    [
      'read the environment of the build from its process',
      () => `getBuiltinModule('node:fs').readFileSync('/proc/${process.pid}/environ')`,
    ],
    ['write a file', (marker: string) => `getBuiltinModule('node:fs').writeFileSync(${marker}, 'x')`],
    [
      'start a process',
      (marker: string) => `getBuiltinModule('node:child_process').execFileSync('touch', [${marker}])`,
    ],
    ['load native code', (marker: string) => `process.dlopen({ exports: {} }, ${marker} + '.node')`],
    [
      'load native code as a module',
      (marker: string) => `getBuiltinModule('node:module').createRequire(${marker})(${marker} + '.node')`,
    ],
    [
      'start a thread',
      (marker: string) =>
        `new (getBuiltinModule('node:worker_threads').Worker)('require("fs").writeFileSync(' + ${marker} + ')', { eval: true })`,
    ],
  ])('cannot %s', async (_, attack) => {
    const marker = join(dist, 'marker');
    // As a release could bring it along.
    copyFileSync(ADDON, `${marker}.node`);
    const code = `const { getBuiltinModule } = process;
      let seen = 'done';
      try { ${attack(JSON.stringify(marker))} } catch (error) { seen = error.code }`;
    expect(await read(code)).toBe('ERR_ACCESS_DENIED');
    expect(existsSync(marker)).toBe(false);
  });

  it('is reported when they end the process', async () => {
    await expect(read('const seen = process.exit(0)')).rejects.toThrow('their process ended');
  });

  it('is reported with the message when they throw', async () => {
    await expect(read("throw new Error('no such brand')")).rejects.toThrow('no such brand');
  });
});
