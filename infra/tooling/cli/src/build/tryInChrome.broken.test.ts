import {
  sampleContainer,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Refusal } from '@forecourt/releases/gate';
import { findChrome, openTrialBrowser, type TrialBrowser } from './tryInChrome.ts';

const chrome = findChrome(process.env);
if (chrome === undefined) it.skip('skipped: there is no Chrome, nor CHROME_BIN', () => undefined);

const SHARED = [
  { name: 'react', version: '19.3.1' },
  { name: '@forecourt/slots', version: '1.0.0' },
];
const RESULT_MS = 1_500;

/** An entry whose slot runs `code` when its module loads. */
const loading = (code: string): string => sampleContainer('web', code);
/** An entry that runs `code` before it sets its container. */
const starting = (code: string): string => `${code}\n${sampleContainer('web')}`;
const addImage = (url: string) => `document.body.append(Object.assign(new Image(), { src: '${url}' }));`;

/** Broken browser halves, each with the rule that refuses it and what that finds. */
const BROKEN: readonly (readonly [fault: string, entry: string, rule: string, found: string | RegExp])[] = [
  ['exports like an ES module', starting('export default 1;'), 'BROWSER_ENTRY', "token 'export'"],
  ['imports like an ES module', starting("import './a.js';"), 'BROWSER_ENTRY', 'import statement outside'],
  ['awaits at the top', starting('await 1;'), 'BROWSER_ENTRY', 'await'],
  ['is the HTML of an error page', '<!doctype html><p>404</p>', 'BROWSER_ENTRY', "token '<'"],
  ['is cut off', loading('').slice(0, -20), 'BROWSER_ENTRY', /Unexpected|missing/],
  ['is JSON', '{"name": "sample", "slots": []}', 'BROWSER_ENTRY', "token ':'"],
  ['sets another global', 'self.other = {};', 'BROWSER_ENTRY', 'global variable sample'],
  [
    'keeps its container in a module scope',
    `{ const sample = {}; }`,
    'BROWSER_ENTRY',
    'global variable sample',
  ],
  ['sets what is no container', 'var sample = { get: 1 };', 'BROWSER_ENTRY', 'global variable sample'],
  ['throws', starting("throw new Error('no brand');"), 'BROWSER_ENTRY', 'no brand'],
  [
    'needs the environment of Node',
    starting('process.env.BRAND;'),
    'BROWSER_ENTRY',
    'process is not defined',
  ],
  ['requires a module', starting("require('react');"), 'BROWSER_ENTRY', 'require is not defined'],
  ['needs another script', starting('jQuery.ready();'), 'BROWSER_ENTRY', 'jQuery is not defined'],
  [
    'exposes no slot',
    'var sample = { init() {}, get: async () => () => ({ default: () => null }) };',
    'SHARE_SCOPE',
    'no slot module',
  ],
  [
    'lacks the exposed module',
    "var sample = { init() {}, get: async () => { throw new Error('no ./panel'); } };",
    'SHARE_SCOPE',
    'no ./panel',
  ],
  ['throws when a module loads', loading("throw new Error('no panel');"), 'BROWSER_LOAD', 'no panel'],
  [
    'throws in a page only',
    loading("if (typeof window !== 'undefined') throw new Error('in pages');"),
    'BROWSER_LOAD',
    'in pages',
  ],
  [
    'throws in a timer',
    loading("setTimeout(() => { throw new Error('too late'); });"),
    'BROWSER_LOAD',
    'too late',
  ],
  [
    'leaves a rejection',
    loading("void Promise.reject(new Error('nobody caught'));"),
    'BROWSER_LOAD',
    'nobody caught',
  ],
  ['reports an error', loading("console.error('no such brand');"), 'BROWSER_LOAD', 'no such brand'],
  [
    'loads a chunk that is missing',
    loading(
      "await new Promise((resolve, reject) => { const link = document.createElement('link'); Object.assign(link, { rel: 'stylesheet', href: '/remotes/sample/1.0.0/web/gone.css', onload: resolve, onerror: () => reject(new Error('gone.css')) }); document.head.append(link); });",
    ),
    'BROWSER_LOAD',
    'gone.css',
  ],
  ['uses eval', loading("eval('1');"), 'BROWSER_LOAD', 'unsafe-eval'],
  ['makes functions of text', loading("new Function('return 1')();"), 'BROWSER_LOAD', 'unsafe-eval'],
  ['makes HTML of text', loading("document.body.innerHTML = '<b>bold</b>';"), 'BROWSER_LOAD', 'TrustedHTML'],
  ['writes into the document', loading("document.write('<b>bold</b>');"), 'BROWSER_LOAD', 'TrustedHTML'],
  [
    'loads a script by a plain URL',
    loading("document.createElement('script').src = '/x.js';"),
    'BROWSER_LOAD',
    'TrustedScriptURL',
  ],
  ['creates a policy of its own', loading("trustedTypes.createPolicy('mine', {});"), 'BROWSER_LOAD', 'mine'],
  [
    'adds a style element',
    loading(
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b { color: red }' }));",
    ),
    'BROWSER_LOAD',
    'style-src',
  ],
  [
    'links a style of another site',
    loading(
      "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'https://fonts.example/a.css' }));",
    ),
    'BROWSER_LOAD',
    'fonts.example',
  ],
  [
    'shows a picture of another site',
    loading(addImage('https://pictures.example/a.png')),
    'BROWSER_LOAD',
    'pictures.example',
  ],
  [
    'fetches from another site',
    loading("fetch('https://api.example/').catch(() => {});"),
    'BROWSER_LOAD',
    'api.example',
  ],
  [
    'connects to another site',
    loading("try { new WebSocket('wss://live.example/'); } catch {}"),
    'BROWSER_LOAD',
    'live.example',
  ],
  [
    'starts a worker',
    loading("try { new Worker('/worker.js'); } catch (error) { console.error(error.message); }"),
    'BROWSER_LOAD',
    /TrustedScriptURL|worker/,
  ],
  [
    'opens a frame',
    loading(
      "document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://ads.example/' }));",
    ),
    'BROWSER_LOAD',
    'ads.example',
  ],
  [
    'defines the same element twice',
    loading("for (const _ of [1, 2]) customElements.define('sample-panel', class extends HTMLElement {});"),
    'BROWSER_LOAD',
    'sample-panel',
  ],
  ['never finishes to load', loading('await new Promise(() => {});'), 'BROWSER_LOAD', 'did not load in'],
];

(chrome === undefined ? describe.skip : describe)('the gate in Chrome', () => {
  let browser: TrialBrowser;
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  const tryEntry = async (entry: string): Promise<readonly Refusal[]> => {
    const release = sampleRelease({ files: { 'web/remoteEntry.js': entry } });
    await writeRelease(folder.path, release);
    return browser.try({ dist: folder.path, manifest: release.manifest, shared: SHARED });
  };
  beforeAll(async () => {
    folder = await temporaryDirectory();
    browser = await openTrialBrowser(chrome ?? '', RESULT_MS);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await folder.remove();
  });

  it('accepts a release whose entry runs and whose slots are slots', async () => {
    expect(await tryEntry(loading(''))).toEqual([]);
  }, 20_000);

  it.each(BROKEN)(
    'refuses an entry that %s',
    async (_, entry, rule, found) => {
      const [refusal] = await tryEntry(entry);
      expect(refusal?.rule).toBe(rule);
      expect(refusal?.found).toMatch(found);
    },
    20_000,
  );
});

(chrome === undefined ? describe.skip : describe)(
  'the gate in Chrome, of a release that blocks its page',
  () => {
    it('gives up', async () => {
      const browser = await openTrialBrowser(chrome ?? '', RESULT_MS);
      const folder = await temporaryDirectory();
      try {
        const release = sampleRelease({ files: { 'web/remoteEntry.js': loading('for (;;);') } });
        await writeRelease(folder.path, release);
        const trial = { dist: folder.path, manifest: release.manifest, shared: SHARED };
        expect(await browser.try(trial)).toMatchObject([{ rule: 'BROWSER_LOAD' }]);
      } finally {
        await browser.close();
        await folder.remove();
      }
    }, 60_000);
  },
);
