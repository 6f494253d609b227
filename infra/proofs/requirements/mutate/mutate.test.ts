import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const command = fileURLToPath(new URL('mutate.ts', import.meta.url));

it('kills the mutants of a row with the tests that cite it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-test-'));
  const json = join(folder, 'results.json');
  const args = [command, 'B2-QP-04', 'A1-ALERT-99', '--limit', '4', '--json', json];
  const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toMatch(/^B2-QP-04 +4 killed, 0 survived, 0 equivalent, 0 untested$/m);
  const [{ mutants }] = JSON.parse(readFileSync(json, 'utf8')) as [{ mutants: { original: string }[] }];
  expect(mutants.map(({ original }) => original)).toEqual(
    expect.arrayContaining(["'modelCode1'", "'modelCode2'", "'modelCode3'"]),
  );
}, 240_000);

it('exits with 1 and its usage without a known row', async () => {
  await expect(promisify(execFile)(process.execPath, [command, 'B2-QP-99'])).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('npm run mutate'),
  });
});

it('lists equivalent mutants each with its file, a reason and its changes', () => {
  const rows = readFileSync(new URL('equivalents.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  for (const row of rows) expect(row).toMatch(/^[\w-]+\.tsx?\t[^\t]+ [^\t]+\.(\t[^\t]* → [^\t]*)+$/);
});
