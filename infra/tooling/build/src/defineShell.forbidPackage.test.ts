import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { compile } from './buildRelease.ts';
import { ForbidPackagePlugin } from './defineShell.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Builds an entry next to two modules: `schemas` imports zod, `paths` does not. */
function build(entry: string) {
  const folder = mkdtempSync(join(tmpdir(), 'forbid-'));
  folders.push(folder);
  const zod = join(folder, 'node_modules/zod');
  mkdirSync(zod, { recursive: true });
  writeFileSync(join(zod, 'package.json'), '{"name":"zod","main":"index.js","sideEffects":false}');
  writeFileSync(join(zod, 'index.js'), 'export const string = () => "a schema";');
  writeFileSync(join(folder, 'package.json'), '{"name":"x","sideEffects":false}');
  writeFileSync(join(folder, 'paths.js'), 'export const PATH = "/overrides";');
  writeFileSync(
    join(folder, 'schemas.js'),
    'import { string } from "zod"; export { PATH } from "./paths.js"; export const schema = string();',
  );
  writeFileSync(join(folder, 'entry.js'), entry);
  return compile([
    {
      mode: 'production',
      context: folder,
      entry: './entry.js',
      output: { path: join(folder, 'dist') },
      plugins: [new ForbidPackagePlugin('zod')],
    },
  ]);
}

describe('a build without zod', () => {
  it('fails and names the importing file when a chunk contains it', async () => {
    await expect(build('import { schema } from "./schemas.js"; console.log(schema);')).rejects.toThrow(
      /must not contain zod, which \S+schemas\.js imports/,
    );
  });

  it('fails for a chunk that is loaded on demand', async () => {
    await expect(build('import("./schemas.js").then(console.log);')).rejects.toThrow('must not contain zod');
  });

  it('succeeds when an unused import is left out', async () => {
    await expect(build('import { PATH } from "./schemas.js"; console.log(PATH);')).resolves.toBeDefined();
  });
});
