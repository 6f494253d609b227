import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

// The threat model and the list of failure cases name a proof for each claim. A proof that was renamed proves nothing.

const REPOSITORY = join(import.meta.dirname, '../../..');
const files = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' }).split('\n');
const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8');
const isTest = (file: string) => /\.(?:test|e2e)\.tsx?$/.test(file);

/** Files that a document means by a name with or without folders. */
const filesNamed = (name: string) => files.filter((file) => file === name || file.endsWith(`/${name}`));

/** Without what differs between a title in a document and in the code: quotes, code marks, and the rest after an ellipsis. */
const plain = (text: string) =>
  text
    .replaceAll(/\\(?=['"`])/g, '')
    .replaceAll(/[`'’“”"]/g, '')
    .replaceAll(/\s+/g, ' ');

/** Problems of the proofs that a text names: `file.test.ts`, followed by titles in quotation marks. */
function missingProofs(text: string): string[] {
  const missing: string[] = [];
  let sources: string[] = [];
  for (const [, file, title] of text
    .replaceAll('framed: ', '`framedSlots.e2e.ts`: ')
    .matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`|"([^"|]{6,})"/g)) {
    if (file !== undefined) {
      sources = filesNamed(file).map((name) => plain(read(name)));
      if (sources.length === 0) missing.push(file);
    } else if (title !== undefined && sources.length > 0) {
      const [start = ''] = plain(title).split('…');
      if (!sources.some((source) => source.includes(start.trim()))) missing.push(title);
    }
  }
  return missing;
}

describe.each(['infra/docs/security.md', 'infra/docs/failure-cases.md'])('the proofs in %s', (document) => {
  it('exist', () => {
    const rows = read(document)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.flatMap(missingProofs)).toEqual([]);
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
