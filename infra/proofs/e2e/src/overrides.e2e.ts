import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { browser, $ } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { shellOrigin, getPage } from './serverHtml.ts';
import { publish, variantOf } from './releases.ts';
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

    const program = fromRoot('infra/tooling/cli/bin/forecourt.mjs');
    const args = ['override', 'mfe-showcase', VERSION, '--shell', shellOrigin(), '--json'];
    const env = { PATH: process.env['PATH'], REGISTRY_URL: process.env['E2E_REGISTRY_URL'] };
    const { url } = JSON.parse(
      execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' }),
    ) as {
      url: string;
    };
    await browser.url(url);
    assert.deepEqual(await browser.getCookies(['overrides']), [], 'a link alone sets nothing');
    await $('button=Show it in this browser').click();
    // The next navigation would cancel the form's request.
    await browser.waitUntil(async () => (await browser.getCookies(['overrides'])).length > 0);
    await browser.url(shellOrigin() + PAGE);
    const banner = $('aside[aria-label="Release overrides"]');
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
