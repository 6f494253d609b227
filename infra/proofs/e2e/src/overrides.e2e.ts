import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { browser, $ } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { getPage } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { promote, publish, releasesOf, variantOf } from '@forecourt/harness/releases';
import { startFreshVisit } from './resultsPage.ts';

const fromRoot = (path: string) => resolve(import.meta.dirname, '../../../..', path);
const PAGE = '/cars-for-sale/all/ford';
const VERSION = '9.9.0-tester.1';
const WORDS = 'Only for testers';

/** Requests for chunks of the tester tools. */
const testersFiles = () =>
  browser.execute(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /devtools|overrides/.test(name)),
  );

const BANNER = 'aside[aria-label="Release overrides"]';

/** Runs one command of the CLI and returns its data. */
function forecourt(
  words: readonly string[],
  environment: Record<string, string>,
  cwd = '.',
): { url: string } {
  const program = fromRoot('infra/tooling/cli/bin/forecourt.mjs');
  const env = { PATH: process.env['PATH'], ...environment };
  const output = execFileSync(process.execPath, [program, ...words, '--json'], {
    env,
    cwd,
    encoding: 'utf8',
  });
  return JSON.parse(output) as { url: string };
}

/** Opens an override link, which alone sets nothing, and confirms it. */
async function confirmLink(url: string): Promise<void> {
  await browser.url(url);
  assert.deepEqual(await browser.getCookies(['overrides']), [], 'a link alone sets nothing');
  await $('button*=in this browser').click();
  // The next navigation would cancel the form's request.
  await browser.waitUntil(async () => (await browser.getCookies(['overrides'])).length > 0);
}

describe('a tester', () => {
  let variant: ReturnType<typeof variantOf>;
  before(async () => {
    variant = variantOf(fromRoot('mfe-showcase/dist'), { version: VERSION, words: ['Sponsored', WORDS] });
    await publish(new URL(process.env['E2E_REGISTRY_URL'] ?? '').origin, variant.directory);
    await startFreshVisit();
  });
  after(async () => {
    variant.remove();
    await startFreshVisit();
  });

  it('shows a release that is not live to its tester only, until the override ends', async () => {
    await browser.url(shellOrigin() + PAGE);
    assert.deepEqual(await testersFiles(), [], 'a visitor loads nothing of it');
    const script = await browser.execute(async () => {
      const entry = document.querySelector<HTMLScriptElement>('script[src$="/shell.js"]');
      return (await fetch(entry?.src ?? '')).text();
    });
    assert.ok(
      script.length > 0 && !/fc-devtools|release\.json|local-build/.test(script),
      'nor with what it loads',
    );

    const env = { REGISTRY_URL: process.env['E2E_REGISTRY_URL'] ?? '' };
    const { url } = forecourt(['override', 'mfe-showcase', VERSION, '--shell', shellOrigin()], env);
    await confirmLink(url);
    await browser.url(shellOrigin() + PAGE);
    const banner = $(BANNER);
    await banner.waitForDisplayed();
    assert.match(await banner.getText(), new RegExp(`mfe-showcase shows ${RegExp.escape(VERSION)} until`));
    await browser.waitUntil(async () => (await $('#slot-showcase').getText()).includes(WORDS));
    const others = (await getPage(shellOrigin() + PAGE)).html;
    assert.ok(!others.includes(WORDS) && !others.includes(VERSION), 'other visitors see the live release');

    await banner.$('button').click();
    await browser.waitUntil(async () => !(await banner.isExisting()));
    assert.ok(!(await $('#slot-showcase').getText()).includes(WORDS));
  });

  it('opens the devtools by keyboard without layout shift', async () => {
    await browser.url(shellOrigin() + PAGE);
    const topOf = () =>
      browser.execute(() => document.getElementById('slot-results')?.getBoundingClientRect().top);
    const before = await topOf();
    await browser.url(`${shellOrigin()}${PAGE}?devtools`);
    const tools = $('#fc-devtools');
    await tools.waitForExist();
    await tools.shadow$('[role=tab]').waitForExist();
    assert.equal(await topOf(), before);
    assert.equal(new URL(await browser.getUrl()).search, '');
    assert.match(await tools.shadow$('[role=tabpanel]').getText(), /results\s+mfe-results [\s\S]*required/);
    await browser.execute(() =>
      document.querySelector('#fc-devtools')?.shadowRoot?.querySelector<HTMLElement>('[role=tab]')?.focus(),
    );
    await browser.keys(['ArrowRight', 'ArrowRight', 'ArrowRight']);
    assert.match(await tools.shadow$('[role=tabpanel]').getText(), /mfe-showcase[\s\S]*live/);
    await tools.shadow$('header .tools button:last-child').click();
    await tools.waitForExist({ reverse: true });
    await browser.url(shellOrigin() + PAGE);
    assert.deepEqual(await testersFiles(), []);
  });
});

describe('the link of a saved snapshot', () => {
  const environment = { OVERRIDE_KEY: 'a key of thirty-two characters!!' };
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-snapshot-'));
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let variant: ReturnType<typeof variantOf>;
  before(async () => {
    stack = await startOwnStack({ environment });
    variant = variantOf(fromRoot('mfe-showcase/dist'), { version: VERSION, words: ['Sponsored', WORDS] });
    await publish(stack.urls['remote-registry'], variant.directory);
  });
  after(async () => {
    // Cookies don't know ports: other tests would show these overrides.
    await browser.deleteCookies();
    variant?.remove();
    await stack?.remove();
    rmSync(folder, { recursive: true });
  });

  it('pins all its releases for the tester, and each response names it', async () => {
    const { shell, 'remote-registry': registry } = stack.urls;
    const env = { ...environment, REGISTRY_URL: registry };
    forecourt(['snapshot', 'save', 'spring', `mfe-showcase@${VERSION}`], env, folder);
    const { url } = forecourt(['snapshot', 'show', 'spring', '--shell', shell], env, folder);
    const tokens = new URL(url).searchParams.get('token')?.split('~') ?? [];
    assert.equal(tokens.length, 5, 'one token for each remote');
    await confirmLink(url);

    await browser.url(shell + PAGE);
    await $(BANNER).waitForDisplayed();
    assert.match(await $(BANNER).getText(), /snapshot spring/);
    await browser.waitUntil(async () => (await $('#slot-showcase').getText()).includes(WORDS));
    const headers = await browser.execute(async () => {
      const response = await fetch(location.href);
      return ['forecourt-snapshot', 'forecourt-releases'].map((name) => response.headers.get(name));
    });
    assert.equal(headers[0], 'spring');
    assert.match(headers[1] ?? '', new RegExp(`mfe-showcase@${RegExp.escape(VERSION)}`));
    assert.ok(!(await getPage(shell + PAGE)).html.includes(WORDS), 'other visitors see what is live');

    // A release promoted later doesn't change the tester's pages.
    await promote(registry, 'mfe-showcase', VERSION);
    await browser.waitUntil(async () => (await releasesOf(shell))['mfe-showcase'] === VERSION);
    await browser.url(shell + PAGE);
    assert.match(await $(BANNER).getText(), /snapshot spring/);
  });
});
