import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { missingProofs } from './missingProofs.ts';

// The threat model and the list of failure cases name a proof for each claim. A proof that was renamed proves nothing.

const REPOSITORY = join(import.meta.dirname, '../../..');
const files = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' }).split('\n');
const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8');
const isTest = (file: string) => /\.(?:test|e2e)\.tsx?$/.test(file);

/** Sources of the files that a document means by a name with or without folders. */
const sourcesNamed = (name: string) =>
  files.filter((file) => file === name || file.endsWith(`/${name}`)).map(read);

describe.each(['infra/docs/security.md', 'infra/docs/failure-cases.md'])('the proofs in %s', (document) => {
  it('exist', () => {
    const rows = read(document)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.flatMap((row) => missingProofs(row, sourcesNamed))).toEqual([]);
  });
});

describe('the threat model', () => {
  const rows = read('infra/docs/security.md').split('\n');

  it('names every hostile release, and none that does not exist', () => {
    const listed = rows.flatMap((line) => [...line.matchAll(/hostile: ([^;|]+)/g)]);
    const fixtures = files.flatMap(
      (file) => /^infra\/proofs\/harness\/hostile\/(.*)\.js$/.exec(file)?.[1] ?? [],
    );
    const [html, others] = [true, false].map((isHtml) =>
      fixtures.filter((name) => name.startsWith('html-') === isHtml),
    ) as [string[], string[]];
    const names = listed.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    expect(names.sort()).toEqual([...others, `${html.length} \`html-…\``].sort());
  });

  it('names attacks of the abuse proof that exist', () => {
    const attacks = files
      .filter((file) => file.startsWith('infra/proofs/system/src/') && !isTest(file))
      .map(read)
      .join('');
    const listed = rows.flatMap((line) => [...line.matchAll(/abuse: ([^;|]+)/g)]);
    const topics = listed.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
    expect(topics.filter((topic) => !attacks.includes(`'${topic}`))).toEqual([]);
  });
});
