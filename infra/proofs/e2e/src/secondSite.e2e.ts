// not in the cluster: tests the second site, which has another API
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '@forecourt/local';
import { processTree } from '@forecourt/harness/processes';
import { promote, publish, refusedBy, releasesOf, variantOf } from '@forecourt/harness/releases';
import { getPage, slotHtml } from '@forecourt/harness/serverHtml';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';

const SITE = join(REPOSITORY, 'infra/proofs/second-site');
const DESK = join(SITE, 'mfe-desk/dist');
const START_MS = 240_000;

/** Starts the library as its README says, on free ports. */
async function startLibrary(dataDir: string) {
  const library = spawn(process.execPath, [join(SITE, 'shell/src/local/start.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: undefined },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [, shell = '', registry = ''] = await new Promise<RegExpExecArray>((resolve, reject) => {
    let output = '';
    library.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^City Library: (\S+)\/library\/books, registry: (\S+)$/m.exec(output);
      if (found) resolve(found);
    });
    library.once('exit', (status) => reject(new Error(`the library ended with status ${status}`)));
    setTimeout(() => reject(new Error('the library did not start')), START_MS).unref();
  });
  return { library, shell, registry };
}

describe('a second site on the same engine: the book list of a library', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-library-'));
  let library: ChildProcess;
  let shell: string;
  let registry: string;

  before(async () => void ({ library, shell, registry } = await startLibrary(dataDir)));
  after(async () => {
    const ended = new Promise((resolve) => library.once('exit', resolve));
    library.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });

  const bookList = async (path = '') => (await getPage(`${shell}/library/books${path}`)).html;
  const desk = async () => slotHtml(await bookList(), 'desk');
  const deskShows = (text: string) => browser.waitUntil(async () => (await desk()).includes(text));
  const change = async (verb: string, body: object = {}): Promise<void> => {
    const response = await fetch(`${registry}/api/remotes/mfe-desk/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.text());
  };
  /** Publishes the desk with other words in its code. */
  const publishDesk = async (changes: Parameters<typeof variantOf>[1]): Promise<void> => {
    const variant = variantOf(DESK, changes);
    await publish(registry, variant.directory).finally(variant.remove);
  };
  const setScripting = (isOff: boolean) =>
    browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: isOff });

  it('renders the slots of two remotes on the server, each in a process of its own', async () => {
    const html = await bookList();
    assert.match(slotHtml(html, 'books'), /4(?:<!-- -->)* books.*The Waste Land/s);
    assert.match(slotHtml(html, 'desk'), /Choose a book to borrow/);
    const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
    const tree = processTree(library.pid ?? 0);
    const server = tree.find((pid) => read(pid, 'cmdline').includes('dist/server/server.cjs'));
    const renders = tree.filter(
      (pid) =>
        read(pid, 'status').includes(`\nPPid:\t${server}\n`) && read(pid, 'cmdline').includes('release.cjs'),
    );
    assert.equal(renders.length, 2);
  });

  it('shares a cached page between readers', async () => {
    const hits = async () => {
      const metrics = await (await fetch(`${shell}/metrics`)).text();
      return Number(/^forecourt_pages_total\{outcome="hit"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const first = await bookList('?genre=poetry');
    const before = await hits();
    assert.equal(await bookList('?genre=poetry'), first);
    assert.equal(await hits(), before + 1);
  });

  it('answers 404 for a book that the library does not have, as its main slot decides', async () => {
    const { status, html } = await getPage(`${shell}/library/book/none`);
    assert.equal(status, 404);
    assert.match(html, /We don’t have this book/);
  });

  it('passes a choice in the list to the desk without loading a page', async () => {
    await browser.url(`${shell}/library/books`);
    await browser.waitUntil(() =>
      browser.execute(() => performance.getEntriesByName('slot:books:hydrated').length > 0),
    );
    await browser.$('=Borrow Emma').click();
    await browser.waitUntil(async () => (await browser.$('aside').getText()).includes('Pick up Emma'));
    assert.equal(new URL(await browser.getUrl()).search, '');
  });

  it('runs a slot that is not trusted with the page in a frame, and shows its HTML until then', async () => {
    assert.match(slotHtml(await bookList(), 'notice'), /<template shadowrootmode="open">.*Reading glasses/s);
    await browser.url(`${shell}/library/books`);
    const frame = browser.$('#slot-notice iframe');
    await frame.waitForExist();
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts');
    await browser.switchFrame(await frame.getElement());
    try {
      await browser.waitUntil(async () => (await browser.$('p').getText()).startsWith('Reading glasses'));
    } finally {
      await browser.switchFrame(null);
    }
  });

  it('shows genres, books and a choice without JavaScript', async () => {
    await setScripting(true);
    try {
      await browser.url(`${shell}/library/books`);
      await browser.$('=novels').click();
      await browser.$('=Borrow Persuasion').click();
      assert.match(await browser.$('aside').getText(), /Pick up Persuasion/);
      assert.equal(new URL(await browser.getUrl()).search, '?genre=novels&chosen=persuasion');
      await browser.$('=Emma').click();
      assert.equal(await browser.$('h1').getText(), 'Emma');
    } finally {
      await setScripting(false);
    }
  });

  it('starts a canary of a changed release, and promotes it', async () => {
    const words = ['Choose a book to borrow', 'Borrow any of these'] as const;
    await publishDesk({ version: '1.1.0', words });
    await change('canary', { version: '1.1.0', weight: 100 });
    await deskShows('Borrow any of these');
    assert.notEqual((await releasesOf(shell))['mfe-desk'], '1.1.0');
    await promote(registry, 'mfe-desk', '1.1.0');
    await browser.waitUntil(async () => (await releasesOf(shell))['mfe-desk'] === '1.1.0');
    assert.match(await desk(), /Borrow any of these/);
  });

  it('refuses a release at its gate that needs another React, and keeps the live one', async () => {
    await publishDesk({ version: '1.2.0', shared: { react: '^18.0.0' } });
    await promote(registry, 'mfe-desk', '1.2.0');
    await browser.waitUntil(async () => 'mfe-desk@1.2.0' in (await refusedBy(shell)));
    const [refusal] = (await refusedBy(shell))['mfe-desk@1.2.0'] ?? [];
    assert.equal(refusal?.rule, 'SHARED_RANGE');
    assert.equal((await releasesOf(shell))['mfe-desk'], '1.1.0');
    await change('rollback');
    await browser.waitUntil(async () => Object.keys(await refusedBy(shell)).length === 0);
  });

  it('ends a canary that throws on lists longer than the recorded one', async () => {
    const throws = '.list.filter((book, at) => at < 3 || book.none.title).find';
    await publishDesk({ version: '1.3.0', words: ['.list.find', throws] });
    await change('canary', { version: '1.3.0', weight: 50 });
    const newest = async () => {
      const url = `${registry}/api/remotes/mfe-desk/history`;
      const { changes } = (await (await fetch(url)).json()) as { changes: { by: string; why?: string }[] };
      return changes[0];
    };
    let visit = 0;
    await browser.waitUntil(
      async () => {
        // A page of its own, which no cache has, and another reader each time.
        const userAgent = `Mozilla/5.0 Chrome/140.0.0.0 reader ${(visit += 1)}`;
        const { status } = await getPage(`${shell}/library/books?chosen=${visit}`, {
          'user-agent': userAgent,
        });
        assert.equal(status, 200);
        return (await newest())?.by === 'shell';
      },
      { interval: 20 },
    );
    assert.match((await newest())?.why ?? '', /^slot \S+ failed on servers \d+ of \d+ times/);
  });

  it('rolls a remote back to its earlier release', async () => {
    await change('rollback');
    await deskShows('Choose a book to borrow');
  });
});
