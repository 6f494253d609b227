import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { runHost } from './runHost.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../../..');
/** Some native code that runs here. */
const ADDON = join(
  REPOSITORY,
  `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-guest-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A release of one slot whose module runs this code when it is loaded, and shows `seen`. */
function writeGuest(atLoad: string): string {
  const guest = mkdtempSync(join(folder, 'release-'));
  mkdirSync(join(guest, 'node'));
  writeFileSync(
    join(guest, 'node/remoteEntry.cjs'),
    `let scope;
     ${atLoad}
     exports.init = (given) => { scope = given; };
     exports.get = async () => {
       const share = async (name) => (await Object.values(scope[name])[0].get())();
       const { defineSlot } = await share('@forecourt/slots');
       const slot = defineSlot({ reads: [], view: () => { throw new Error(seen); } });
       return () => ({ default: slot });
     };`,
  );
  const manifest: ReleaseManifest = {
    schema: 1,
    name: 'mfe-tiny',
    version: '1.0.0',
    contracts: { '@forecourt/slots': '1.0.0' },
    shared: {},
    entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' },
    slots: { tiny: { expose: './tiny', reads: [], loads: false, scripts: [], styles: [] } },
    files: {
      'web/remoteEntry.js': { integrity: `sha384-${'A'.repeat(64)}`, bytes: 1 },
      'node/remoteEntry.cjs': { integrity: `sha384-${'A'.repeat(64)}`, bytes: 1 },
    },
  };
  writeFileSync(join(guest, 'release.json'), JSON.stringify(manifest));
  return guest;
}

/** The problem of the guest's slot on the empty page. */
async function problemOf(guest: string): Promise<string | undefined> {
  const { renders } = await runHost({ root: REPOSITORY, remotes: [{ name: 'mfe-tiny', guest }] });
  return renders['mfe-tiny']?.[0]?.problem;
}

/** Obtains the real `process`: that of a guest's scope has no environment. */
const REAL = `const real = (0, eval)('process');`;

it('evaluates a release without the environment of the comparison', async () => {
  process.env['PUBLISH_TOKEN'] = 'secret';
  const problem = await problemOf(writeGuest(`${REAL} const seen = JSON.stringify(real.env);`));
  delete process.env['PUBLISH_TOKEN'];
  expect(problem).toBe('throws: {"NODE_ENV":"production"}');
});

it('evaluates a release that can neither write files, read those of others, nor load native code', async () => {
  const marker = join(folder, 'marker');
  const problem = await problemOf(
    writeGuest(`${REAL}
      const { readFileSync, writeFileSync } = real.getBuiltinModule('node:fs');
      const codeOf = (action) => { try { action(); return 'done' } catch ({ code }) { return code } };
      const seen = codeOf(() => writeFileSync(${JSON.stringify(marker)}, 'x')) + ' '
        + codeOf(() => readFileSync('/proc/${process.pid}/environ')) + ' '
        + codeOf(() => real.dlopen({ exports: {} }, ${JSON.stringify(ADDON)}));`),
  );
  expect(problem).toBe('throws: ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED');
  expect(existsSync(marker)).toBe(false);
});
