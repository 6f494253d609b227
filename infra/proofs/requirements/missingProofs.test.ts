import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { missingProofs, unprovenClaims } from './missingProofs.ts';

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
    // A row of a table is a block of its own.
    const blocks = read(document).split(/\n(?=\n|\|)/);
    expect(blocks.flatMap((block) => missingProofs(block, sourcesNamed))).toEqual([]);
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

  it('names a proof of each claim, or says that something is not stopped', () => {
    expect(unprovenClaims(rows.join('\n'))).toEqual([]);
  });

  it('names proofs under load that exist', () => {
    const sources = files.filter((file) => file.startsWith('infra/proofs/system/src/')).map(read);
    const named = [...rows.join('\n').matchAll(/\bproof `([\w-]+)`|proofs -- ([\w-]+)/g)];
    const names = named.map(([, name = '', run = '']) => name || run);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !sources.some((source) => source.includes(`name: '${name}'`)))).toEqual([]);
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

describe('a claim', () => {
  const document = (...blocks: readonly string[]) => ['# Title', 'Introduction.', ...blocks].join('\n\n');
  const table = (...rows: readonly string[]) =>
    ['| nobody can | proof |', '| --- | --- |', ...rows].join('\n');

  it('is proven by a test, a fixture, a run, or the proofs at the end of its section', () => {
    const rows = [
      '| a | `a.test.ts` |',
      '| b | hostile: loops |',
      '| c | proof `crawl` |',
      '| d | abuse: Mail |',
    ];
    expect(unprovenClaims(document('## One', 'A claim.', 'Proofs: `a.e2e.ts`.', table(...rows)))).toEqual([]);
  });

  it('is found without one', () => {
    const rows = table('| b | none |', '| c | `a.test.ts` |');
    const text = document('## One', 'A.', 'Leads to proofs.', rows, '## Two', 'Proof: `a.test.ts`.', 'D.');
    expect(unprovenClaims(text)).toEqual(['A.', '| b | none |', 'D.']);
  });

  it('needs none where it says what is not stopped', () => {
    expect(unprovenClaims(document('## One', 'Not stopped: a.', '## What is not stopped', '- b'))).toEqual(
      [],
    );
  });
});
