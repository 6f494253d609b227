import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documentedCommands } from './documentedCommands.ts';
import { PAGES, PLACES } from './documentedPages.ts';
import { EXCEPTIONS, SERVERS, STATUSES } from './exceptions.ts';
import { fillIn, lookUp } from './followPage.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../../..');
const VALUES = Object.fromEntries(
  Object.values(PLACES).flatMap((places) => places.map((place) => [place, 'a:1'])),
);
/** What a reader replaces; not variables, values and methods. */
const PLACEHOLDER = /…|\[[-A-Z]|(?<!\.env)\.example|(?<![$={\w./-])[A-Z][A-Z_]{2,}(?![\w=-])/;
const METHODS = /-X (?:POST|PUT|DELETE)/g;

const pages = execFileSync('git', ['-C', REPOSITORY, 'ls-files', '*.md'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !/CHANGELOG|template\//.test(path))
  .map((path) => {
    const page = PAGES.find((one) => one.path === path);
    const commands = documentedCommands(readFileSync(join(REPOSITORY, path), 'utf8'), page);
    return { path, page, commands };
  });
const named = pages.flatMap(({ path, commands }) => commands.map(({ text }) => `${path}: ${text}`));

describe('the commands of the documentation', () => {
  it('are run by the proof, or excepted with a reason', () => {
    const unknown = pages
      .filter(({ page }) => !page)
      .flatMap(({ path, commands }) =>
        commands
          .filter(({ text }) => lookUp(EXCEPTIONS, path, text) === undefined)
          .map(({ line, text }) => `${path}:${line} ${text}`),
      );
    expect(unknown).toEqual([]);
  });

  it('have a value for each placeholder', () => {
    const left = pages.flatMap(({ path, page, commands }) =>
      commands
        .filter(({ text }) => page && lookUp(EXCEPTIONS, path, text) === undefined)
        .map(({ line, text }) => ({ line, text: fillIn(text, page!, VALUES) }))
        .filter(({ text }) => PLACEHOLDER.test(text.replaceAll(METHODS, '').replace(/\s#.*/, '')))
        .map(({ line, text }) => `${path}:${line} ${text}`),
    );
    expect(left).toEqual([]);
  });

  it('are on each page that is listed, and include each that a table names', () => {
    const paths = pages.map(({ path }) => path);
    expect(PAGES.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([]);
    const patterns = [...EXCEPTIONS, ...SERVERS, ...STATUSES].map(([pattern]) => pattern);
    expect(patterns.filter((pattern) => named.every((command) => !pattern.test(command)))).toEqual([]);
  });
});

describe('documentedCommands', () => {
  const textsOf = (markdown: string, inText = false) =>
    documentedCommands(markdown, { inText }).map(({ text }) => text);

  it('reads indented blocks and blocks without a language or with sh, without files and output', () => {
    const fenced = ['sh', '', 'text', 'json'].map(
      (language) => `\`\`\`${language}\n${language}-line\n\`\`\``,
    );
    expect(textsOf(`Text:\n\n    one\n    two # why\n\n${fenced.join('\n\n')}`)).toEqual([
      'one',
      'two # why',
      'sh-line',
      '-line',
    ]);
  });

  it('joins lines of one command, and leaves out comments', () => {
    expect(
      textsOf(
        "    a \\\n      b\n    # c\n    for x in 1; do\n      y\n    done\n    d '{\n    }'".padStart(100),
      ),
    ).toEqual(['a \\\nb', 'for x in 1; do\ny\ndone', "d '{\n}'"]);
    expect(() => textsOf("\n    it's")).toThrow("line 2: the command is not complete: it's");
  });

  it('reads commands in code marks where it should', () => {
    expect(textsOf('Run `npm run a`, `npx b` or `x.ts`.', true)).toEqual(['npm run a', 'npx b']);
    expect(textsOf('Run `npm run a`.')).toEqual([]);
  });
});
