// not in the cluster: starts its own services, with a key for overrides
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@forecourt/local';
import { browser, $ } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { allowConsoleErrors } from './consoleErrors.ts';
import { waitForSlots } from './resultsPage.ts';
import { getPage } from '@forecourt/harness/serverHtml';

const fromRoot = (path: string) => resolve(import.meta.dirname, '../../../..', path);
const FORECOURT = fromRoot('infra/tooling/cli/bin/forecourt.mjs');
const PAGE = '/cars-for-sale/all/ford';
const OVERRIDE_KEY = 'a key of thirty-two characters!!';

/** A folder with the remote and its installed packages, outside the Forecourt repository. */
function ownRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-own-remote-'));
  for (const path of ['package.json', 'src'])
    cpSync(fromRoot(`mfe-showcase/${path}`), join(folder, path), { recursive: true });
  symlinkSync(fromRoot('node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Replaces words in the source of the remote. */
function edit(folder: string, from: string, to: string): void {
  const path = join(folder, 'src/ShowcaseCard.tsx');
  const source = readFileSync(path, 'utf8');
  assert.ok(source.includes(from), `${from} is in the source`);
  writeFileSync(path, source.replaceAll(from, to));
}

/** The classes of the icons in the showcase, which are the contract's. */
function iconClasses(html: string): readonly string[] {
  const [, slot = ''] = /id="slot-showcase"([^]*?)<div id="slot-/.exec(html) ?? [];
  const classes = Array.from(
    slot.matchAll(/<span class="([^"]*)" aria-hidden="true">/g),
    ([, names = '']) => names,
  );
  assert.ok(classes.length > 0);
  return classes;
}

/** Runs `forecourt dev` until `remove`; `until` waits for a line of its output. */
function startDev(folder: string, words: readonly string[], environment: Record<string, string>) {
  let output = '';
  const child: ChildProcess = spawn(process.execPath, [FORECOURT, 'dev', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    child,
    output: () => output,
    until: (text: string, times = 1) =>
      browser.waitUntil(() => output.split(text).length > times || child.exitCode !== null, {
        timeout: 50_000,
        timeoutMsg: `no '${text}' in: ${output}`,
      }),
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

describe('forecourt dev in the repository of a remote', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let folder: string;
  let port: number;
  let origin: string;
  let dev: ReturnType<typeof startDev>;

  before(async () => {
    port = await freePort();
    origin = `http://localhost:${port}`;
    stack = await startOwnStack({ environment: { OVERRIDE_KEY, OVERRIDE_ORIGINS: origin } });
    folder = ownRepository();
    edit(folder, 'Sponsored', 'Built here');
  });
  after(async () => {
    await dev?.stop();
    // Cookies don't know ports.
    await browser.deleteCookies();
    await stack?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The operator's link with a token for a build of the remote at `origin`. */
  function overrideLink(remote: string): string {
    const words = ['override', remote, '--origin', origin, '--shell', stack.urls.shell, '--json'];
    const env = { PATH: process.env['PATH'], OVERRIDE_KEY };
    const link = execFileSync(process.execPath, [FORECOURT, ...words], { env, encoding: 'utf8' });
    return (JSON.parse(link) as { url: string }).url;
  }

  it('starts with the token of the operator and a build that the gate of the shell accepts', async () => {
    const url = overrideLink('mfe-showcase');
    dev = startDev(folder, ['--shell', stack.urls.shell, '--port', String(port)], { OVERRIDE_TOKEN: url });
    await dev.until('is shown');
    assert.equal(dev.child.exitCode, null, dev.output());
  });

  it('serves the pages of the shell with the local build rendered on the server', async () => {
    const { html, headers } = await getPage(origin + PAGE);
    assert.match(html, /<div id="slot-showcase"[^>]*><(?:section|div)[^>]*>[^]*Built here/);
    assert.equal(headers.getSetCookie().join().includes('overrides'), false);
    const visitors = (await getPage(stack.urls.shell + PAGE)).html;
    assert.ok(!visitors.includes('Built here'), 'visitors of the shell see the live release');
    assert.deepEqual(
      iconClasses(html),
      iconClasses(visitors),
      'components of the contract have the shell’s styles',
    );
  });

  it('hydrates the build, and swaps each edit into the open page, which keeps its state', async () => {
    await browser.url(origin + PAGE);
    await waitForSlots('showcase', 'toolbar', 'results');
    const shownHtml = () => browser.execute(() => document.getElementById('slot-showcase')?.innerHTML ?? '');
    assert.match(await shownHtml(), /Built here/);
    const keyword = $('[data-slot="toolbar"] input[name="keyword"]');
    await keyword.setValue('hybrid');
    await browser.execute(() => Object.assign(window, { isSamePage: true }));

    const shown = dev.output().split('is shown').length - 1;
    edit(folder, 'Built here', 'Edited here');
    await dev.until('is shown', shown + 1);
    await browser.waitUntil(async () => (await shownHtml()).includes('Edited here'));
    assert.equal(await browser.execute(() => 'isSamePage' in window), true, 'the page was not loaded again');
    assert.equal(await keyword.getValue(), 'hybrid');
    assert.match((await getPage(origin + PAGE)).html, /Edited here/);
  });

  it('tells of a slot that throws in the browser in terminal, console and an overlay that can be closed', async () => {
    allowConsoleErrors(/thrown on purpose/);
    const shown = dev.output().split('is shown').length - 1;
    edit(
      folder,
      'export function ShowcaseCard',
      "const isInBrowser = typeof window !== 'undefined';\nexport function ShowcaseCard",
    );
    edit(
      folder,
      'const emit = useEmit();',
      "const emit = useEmit();\n  if (isInBrowser) throw new Error('thrown on purpose');",
    );
    await dev.until('is shown', shown + 1);
    await browser.url(origin + PAGE);
    const overlay = $('#fc-failures');
    await overlay.waitForExist({ timeout: 20_000 });
    assert.match(
      await overlay.shadow$('pre').getText(),
      /Slot showcase failed in the browser \(hydrate\): thrown on purpose/,
    );
    await dev.until('thrown on purpose');
    assert.match(dev.output(), /Slot showcase failed in the browser \(hydrate\): thrown on purpose\n\s+at /);
    await overlay.shadow$('button').click();
    assert.equal(await overlay.isExisting(), false);
  });

  it('refuses a token for another remote, and a shell that allows no such origin', async () => {
    const url = overrideLink('mfe-leads');
    const other = startDev(folder, ['--shell', stack.urls.shell], { OVERRIDE_TOKEN: url });
    await other.until('OVERRIDE_TOKEN is for');
    await other.stop();
    const foreign = startDev(folder, ['--shell', stack.urls.shell, '--port', String(await freePort())], {});
    await foreign.until('needs a token');
    await foreign.stop();
  });
});
