import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

let folder: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
/** Runs a linter in the folder; its exit status and everything it printed. */
function run(script: string, ...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(REPOSITORY, 'node_modules', script), ...args],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-lint-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('oxlint with the configuration of the repository', () => {
  const lint = () => run('oxlint/bin/oxlint', 'mfe-sample');
  beforeEach(() => {
    write('.oxlintrc.json', readFileSync(join(REPOSITORY, '.oxlintrc.json'), 'utf8'));
    write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
  });

  it('warns about a file of 401 lines, except a data table', () => {
    const source = `export const a = 1;\n${'// A line.\n'.repeat(400)}`;
    write('mfe-sample/src/long.ts', source);
    write('mfe-sample/src/data/makes.ts', source);
    write('mfe-sample/src/models.data.ts', source);
    const { status, output } = lint();
    expect(status).toBe(0);
    expect(output.match(/max-lines/g)).toHaveLength(1);
    expect(output).toContain('mfe-sample/src/long.ts');
  });

  it('rejects a promise that is not awaited, with type information', () => {
    write(
      'mfe-sample/src/send.ts',
      'const send = async () => 1;\nexport const run = () => {\n  send();\n};\n',
    );
    const { status, output } = lint();
    expect(status).toBe(1);
    expect(output).toContain('no-floating-promises');
  });
});

describe('outgoing requests of a service', () => {
  const lint = (source: string) => {
    write('.oxlintrc.json', readFileSync(join(REPOSITORY, '.oxlintrc.json'), 'utf8'));
    write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
    write('infra/services/sample/src/send.ts', source);
    return run('oxlint/bin/oxlint', 'infra').output;
  };

  it.each([
    ['fetch', "export const send = () => fetch('http://x');\n"],
    ['a socket', "export { connect } from 'node:net';\n"],
    ['a client of buckets', "export { S3Client } from '@aws-sdk/client-s3';\n"],
    ['a client of the search engine', "export { Client } from '@opensearch-project/opensearch';\n"],
    ['a mail client', "import mailer from 'nodemailer';\nexport const send = mailer.createTransport;\n"],
    [
      'a registry’s client without policy',
      "import { callRegistry } from '@forecourt/release-kit/registryClient';\nexport const send = callRegistry;\n",
    ],
  ])('are rejected beside its policy if they use %s', (_, source) => {
    expect(lint(source)).toMatch(/no-restricted-(?:globals|imports)/);
  });

  it('are accepted by the policy', () => {
    const source = [
      "import { callShellGate } from '@forecourt/release-kit/registryClient';",
      "import { createEgress } from '@forecourt/service-kit/egress';",
      'export const send = [callShellGate, createEgress];',
    ];
    expect(lint(`${source.join('\n')}\n`)).not.toContain('no-restricted');
  });
});

describe('knip', () => {
  it('rejects an export that no other file imports', () => {
    write('package.json', JSON.stringify({ name: 'sample', type: 'module', main: 'src/index.ts' }));
    write('src/index.ts', "import { used } from './values.ts';\nexport default used;\n");
    write('src/values.ts', 'export const used = 1;\nexport const unused = used + 1;\n');
    const { status, output } = run('knip/bin/knip.js', '--no-progress');
    expect(status).toBe(1);
    expect(output).toMatch(/unused\s.*src\/values\.ts/);
    expect(output).not.toMatch(/\bused\s.*src\/values\.ts/);
  });
});

describe('documentation', () => {
  it('names only tests that exist as proofs', () => {
    const list = spawnSync('git', ['-C', REPOSITORY, 'ls-files', '*.test.ts', '*.test.tsx', '*.e2e.ts'], {
      encoding: 'utf8',
    });
    const tests = list.stdout.split('\n').map((path) => `/${path}`);
    const named = ['security.md', 'failure-cases.md', 'asvs.md'].flatMap((name) =>
      [
        ...readFileSync(join(REPOSITORY, 'infra/docs', name), 'utf8').matchAll(
          /`([\w./-]+\.(?:test|e2e)\.tsx?)/g,
        ),
      ].map(([, test = '']) => test),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((test) => !tests.some((path) => path.endsWith(`/${test}`)))).toEqual([]);
  });
});
