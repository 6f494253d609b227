import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  checkComposedPage,
  type Section,
  type SectionResult,
  runSections,
  someTest,
  stagesOf,
} from './testSections.ts';
import {
  browserTestsByNeed,
  browserTestsFor,
  browserTestsInCluster,
  changedFiles,
  REPOSITORY,
} from './repository.ts';

const section = (name: string, result: SectionResult | Error, text = ''): Section => ({
  name,
  run({ print }) {
    print?.(text);
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  },
});
const CLEAN = { passed: 2, failed: 0 };

async function run(stages: Section[][][], neededBy: Record<string, string[]> = {}) {
  let output = '';
  const result = await runSections(stages, {
    signal: new AbortController().signal,
    write: (text) => {
      output += text;
    },
    neededBy,
  });
  return { result, output: output.replaceAll(/\d+\.\d s/g, 'n s') };
}

describe('a selection of browser tests', () => {
  it('fails without a test, as with a name that no test has', () => {
    expect(someTest({ passed: 0, failed: 0 })).toMatchObject({
      failed: 1,
      failures: [expect.stringMatching(/^NO_TESTS: .*check --spec, --grep and --remote$/)],
    });
    expect(someTest(CLEAN)).toBe(CLEAN);
  });
});

describe('runSections', () => {
  it('prints the totals of all results in a summary', async () => {
    const { result, output } = await run([
      [[section('lint', { passed: 0, failed: 0 })]],
      [[section('unit', CLEAN)]],
    ]);
    expect(result).toEqual({ passed: 2, failed: 0 });
    expect(output).toMatch(
      /summary \(n s\)\n✔ lint \(n s\)\n✔ unit \(n s, 2 passed, 0 failed\)\n2 passed, 0 failed\n$/,
    );
  });

  it('names the five slowest files of a section below its line', async () => {
    const fileMs = new Map([400, 90_000, 2000, 31_000, 5000, 7000].map((ms, at) => [`${at}.test.ts`, ms]));
    const { output } = await run([[[section('unit', { ...CLEAN, fileMs })]]]);
    const [, summary = ''] = output.split('━━ summary');
    expect(summary.match(/\d\.test\.ts/g)).toEqual(
      ['1', '3', '5', '4', '2'].map((name) => `${name}.test.ts`),
    );
  });

  it('repeats the failed tests before the summary', async () => {
    const failures = ['a.test.ts: adds\n  expected 2', 'b.test.ts: removes\n  expected 1'];
    const { output } = await run([
      [[section('unit', { passed: 7, failed: 2, failures })]],
      [[section('spec', CLEAN)]],
    ]);
    expect(output).toMatch(
      /✔ spec .+\n\n━━ failed tests\n✖ a.test.ts: adds\n {2}expected 2\n✖ b.test.ts: removes\n {2}expected 1\n\n━━ summary/,
    );
  });

  it('skips only the sections that depend on a failed one', async () => {
    const stages = [
      [[section('build', new Error('no webpack'))]],
      [[section('e2e', CLEAN)]],
      [[section('spec', CLEAN)]],
    ];
    const { result, output } = await run(stages, { e2e: ['build'] });
    expect(result).toEqual({ passed: 2, failed: 2 });
    expect(output).toContain('no webpack\n');
    expect(output).toContain('not run, because build failed');
    expect(output).toContain('✔ spec');
  });

  it('leaves the terminal to the first of parallel lanes, and prints the output of the others sequentially', async () => {
    const lanes = ['one', 'two', 'three'].map((name) => [section(name, CLEAN, `I am ${name}\n`)]);
    const { output } = await run([lanes]);
    expect(output).toContain('━━ one\n');
    expect(output).not.toContain('I am one');
    expect(output).toContain('━━ two\nI am two\n✔ two');
    expect(output).toContain('━━ three\nI am three\n✔ three');
  });

  it('rejects when it is stopped', async () => {
    const stopping = new AbortController();
    const stopped: Section = {
      name: 'unit',
      run() {
        stopping.abort();
        return Promise.reject(new Error('stopped'));
      },
    };
    const running = runSections([[[stopped]], [[section('e2e', CLEAN)]]], {
      signal: stopping.signal,
      write: () => {},
      neededBy: {},
    });
    await expect(running).rejects.toThrow('stopped');
  });
});

const namesOf = (files: readonly string[]) =>
  stagesOf(files).flatMap((stage) => stage.flat().map(({ name }) => name));

describe('the sections of a change', () => {
  it.each([
    ['a document', ['README.md'], ['lint', 'spec']],
    ['a source', ['shell/src/marketplace/app.ts'], ['lint', 'unit', 'spec']],
    ['a style', ['mfe-results/src/card/ListingCard.module.css'], ['lint', 'unit', 'spec']],
    ['a browser test', ['infra/proofs/e2e/src/overrides.e2e.ts'], ['build', 'lint', 'unit', 'e2e', 'spec']],
    ['the dependencies', ['package-lock.json'], ['lockfile', 'lint', 'unit', 'spec']],
    ['nothing', [], ['spec']],
  ])('are those that %s can break', (_, files, names) => {
    expect(namesOf(files)).toEqual(names);
  });
});

describe('the browser tests for a remote', () => {
  it('are those that prove one of its requirements, alone or shared', async () => {
    const proofs = await mkdtemp(join(tmpdir(), 'forecourt-proofs-'));
    await mkdir(join(proofs, 'requirements'));
    await mkdir(join(proofs, 'e2e/src'), { recursive: true });
    const rows = ['id\tsource\towner', 'A1-X-01\t\tmfe-one', 'A1-X-02\t\tmfe-two+infra', 'A1-X-03\t\tshell'];
    await writeFile(join(proofs, 'requirements/requirements.tsv'), rows.join('\n'));
    const tests = { one: '  // rows: A1-X-03, A1-X-01', two: '// rows: A1-X-02', none: 'it()' };
    for (const [name, text] of Object.entries(tests))
      await writeFile(join(proofs, `e2e/src/${name}.e2e.ts`), `${text}\n`);
    await writeFile(join(proofs, 'e2e/src/pageChecks.ts'), '// rows: A1-X-01\n');
    expect(browserTestsFor('mfe-one', proofs)).toEqual(['one']);
    expect(browserTestsFor('mfe-two', proofs)).toEqual(['two']);
    expect(() => browserTestsFor('mfe-tow', proofs)).toThrow(
      "no browser test proves a requirement of 'mfe-tow'",
    );
    await rm(proofs, { recursive: true });
  });

  it('include those of the results in this repository', () => {
    expect(browserTestsFor('mfe-results')).toEqual(expect.arrayContaining(['results', 'search']));
  });
});

describe('a cluster that browser tests run against', () => {
  const { inCluster, reasons } = browserTestsInCluster();
  const { anywhere, stackOnly } = browserTestsByNeed();
  const sourceOf = (name: string) =>
    readFileSync(join(REPOSITORY, `infra/proofs/e2e/src/${name}.e2e.ts`), 'utf8');

  it('gets every test, or a reason why not', () => {
    expect([...inCluster, ...reasons.keys()].sort()).toEqual([...anywhere, ...stackOnly].sort());
    expect(inCluster).toEqual(expect.arrayContaining(['accounts', 'leads', 'logs', 'results', 'saving']));
  });

  it('misses those only that use no stack which tests share', () => {
    for (const [name, reason] of reasons)
      expect([name, reason, sourceOf(name)]).toEqual([
        name,
        expect.stringMatching(/^(?:starts its own services|tests the second site), /),
        expect.not.stringMatching(/'\.\/sharedStack\.ts'/),
      ]);
  });
});

describe('a page that browser tests run against', () => {
  it('gets no tests that publish, break, write or fuzz something', () => {
    const { anywhere, stackOnly } = browserTestsByNeed();
    expect(anywhere).toEqual(expect.arrayContaining(['filters', 'results', 'search', 'withoutJavaScript']));
    expect(stackOnly).toEqual(
      expect.arrayContaining([
        'accounts',
        'fuzz',
        'hostileInProcess',
        'leads',
        'offers',
        'overrides',
        'publishing',
        'saving',
      ]),
    );
  });

  const serve = async (answer: RequestListener): Promise<Server & { readonly url: string }> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1` });
  };

  it('is one with a results slot', async () => {
    const page = await serve((_, response) => response.end('<main data-slot="results">'));
    const other = await serve((_, response) => response.end('<main>'));
    const broken = await serve((_, response) => response.writeHead(503).end('<main data-slot="results">'));
    expect(await checkComposedPage(page.url)).toBe(new URL(page.url).origin);
    await expect(checkComposedPage(other.url)).rejects.toThrow('answers 200 without a results slot');
    await expect(checkComposedPage(broken.url)).rejects.toThrow('answers 503');
    for (const server of [page, other, broken]) server.close();
    await once(page, 'close');
    await expect(checkComposedPage(page.url)).rejects.toThrow("doesn't answer");
    await expect(checkComposedPage('localhost:3000')).rejects.toThrow('is no http or https URL');
  });
});

describe('the files of a change', () => {
  it('are those that differ from where the branch left main, committed or not, without removed ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-changes-'));
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
      });
    const write = (file: string, text: string) => writeFile(join(folder, file), text);
    await git('init', '--initial-branch=main', '--quiet');
    for (const file of ['kept.ts', 'edited.ts', 'removed.ts', 'pending.ts']) await write(file, 'one');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    await git('switch', '--quiet', '-c', 'work');
    await write('edited.ts', 'two');
    await rm(join(folder, 'removed.ts'));
    await git('commit', '--quiet', '-am', 'second');
    await write('pending.ts', 'two');
    await write('with space.ts', 'new');
    expect(await changedFiles(undefined, folder)).toEqual(['edited.ts', 'pending.ts', 'with space.ts']);
    expect(await changedFiles('HEAD', folder)).toEqual(['pending.ts', 'with space.ts']);
    await rm(folder, { recursive: true });
  });
});
