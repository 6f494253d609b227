import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  sampleContainer,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Refusal } from '@forecourt/releases/gate';
import { localProvides, providingFolder } from '../provides.ts';
import { packTrialPage } from './packTrialPage.ts';
import { findChrome, openTrialBrowser, type TrialBrowser, type TrialReport } from './tryInChrome.ts';

const chrome = findChrome(process.env);
if (chrome === undefined) it.skip('skipped: there is no Chrome, nor CHROME_BIN', () => undefined);

/** For loading and rendering without end. */
const PROGRESS_MS = 5_000;
const TIMES = { loadMs: 3_000, readyMs: 400 };

/** An entry whose slot runs `code` when its module loads. */
const loading = (code: string): string => sampleContainer('web', code);
/** An entry that runs `code` before it sets its container. */
const starting = (code: string): string => `${code}\n${sampleContainer('web')}`;
const addImage = (url: string) => `document.body.append(Object.assign(new Image(), { src: '${url}' }));`;

/** Browser halves that don't load, each with the rule that refuses it and what that finds. */
const UNLOADABLE: readonly (readonly [fault: string, entry: string, rule: string, found: string | RegExp])[] =
  [
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
    [
      'makes HTML of text',
      loading("document.body.innerHTML = '<b>bold</b>';"),
      'BROWSER_LOAD',
      'TrustedHTML',
    ],
    ['writes into the document', loading("document.write('<b>bold</b>');"), 'BROWSER_LOAD', 'TrustedHTML'],
    [
      'loads a script by a plain URL',
      loading("document.createElement('script').src = '/x.js';"),
      'BROWSER_LOAD',
      'TrustedScriptURL',
    ],
    [
      'creates a policy of its own',
      loading("trustedTypes.createPolicy('mine', {});"),
      'BROWSER_LOAD',
      'mine',
    ],
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

/** React itself, so that a release has a copy of its own. */
const REACT = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('react')), 'cjs/react.production.js'),
  'utf8',
);

interface BrokenSlot {
  /** Completes 'refuses a slot that …'. */
  readonly fault: string;
  /** Body of its view; `h`, `React` and the hooks are in scope. */
  readonly view: string;
  /** What the server rendered, from that body or as a server in New York or London would. */
  readonly html: string;
  readonly rule: Refusal['rule'];
  readonly found: string | RegExp;
}

const SAME = '<p>same</p>';
const same = "return h('p', null, 'same');";
/** Runs `code` in an effect. */
const effect = (code: string): string => `useEffect(() => { ${code} }, []); ${same}`;
const differs = "where the server has '";
const today = new Date().toISOString().slice(0, 10);

/** Slots that load, and are broken on a page. */
const BROKEN: readonly BrokenSlot[] = [
  ...(
    [
      ['shows the present day', `return h('p', null, new Date().toISOString().slice(0, 10));`, today],
      [
        'shows the time since an event',
        `return h('p', null, String(Date.now() - ${Date.now()} > 9e7));`,
        'false',
      ],
      ['writes numbers for the locale', "return h('p', null, (1234.5).toLocaleString());", '1,234.5'],
      ['writes dates for the locale', "return h('p', null, new Date(0).toLocaleDateString());", '1/1/1970'],
      ['shows hours of the time zone', "return h('p', null, new Date(0).getHours());", '0'],
      ['shows the language', "return h('p', null, navigator.language);", 'en-US'],
      ['shows a random number', "return h('p', null, Math.random());", '0.5'],
      ['shows an id that it makes', "return h('p', null, crypto.randomUUID());", 'a1b2'],
      [
        'shows what is in the storage',
        "return h('p', null, localStorage.getItem('zip') ?? 'anywhere');",
        'anywhere',
      ],
      [
        'keeps in its state what is in the session storage',
        "const [tab] = useState(() => sessionStorage.getItem('tab') ?? 'all'); return h('p', null, tab);",
        'all',
      ],
      [
        'shows the width of the window',
        "return h('p', null, innerWidth > 500 ? 'wide' : 'narrow');",
        'narrow',
      ],
      ['shows that there is a window', "return h('p', null, typeof window);", 'undefined'],
      [
        'shows what a media query says',
        "return h('p', null, String(matchMedia('(min-width: 1px)').matches));",
        'false',
      ],
      ['shows the address', "return h('p', null, location.pathname);", '/cars'],
    ] as const
  ).map(([fault, view, text]): BrokenSlot => ({
    ...{ fault, view, html: `<p>${text}</p>` },
    ...{ rule: 'BROWSER_RENDER', found: differs },
  })),
  ...(
    [
      [
        'has another attribute than on the server',
        "return h('p', { title: typeof window }, 'same');",
        '<p title="undefined">same</p>',
        differs,
      ],
      [
        'nests elements as no parser does',
        "return h('p', null, h('div', null, 'box'));",
        '<p><div>box</div></p>',
        'error #418',
      ],
      [
        'throws in the browser only',
        `if (typeof document !== 'undefined') throw new Error('no document'); ${same}`,
        SAME,
        'no document',
      ],
      ['throws in an effect', effect("throw new Error('in an effect');"), SAME, 'in an effect'],
      [
        'throws in a layout effect',
        `React.useLayoutEffect(() => { throw new Error('in a layout effect'); }, []); ${same}`,
        SAME,
        'in a layout effect',
      ],
      [
        'throws in a ref',
        "return h('p', { ref: () => { throw new Error('in a ref'); } }, 'same');",
        SAME,
        'in a ref',
      ],
      [
        'throws when its state changes',
        `const [count, setCount] = useState(0); useEffect(() => setCount(1), []); if (count > 0) throw new Error('at one'); ${same}`,
        SAME,
        'at one',
      ],
      [
        'sets its state while rendering',
        `const [count, setCount] = useState(0); if (typeof window !== 'undefined') setCount(count + 1); ${same}`,
        SAME,
        'error #301',
      ],
      [
        'sets its state in an effect again and again',
        `const [count, setCount] = useState(0); React.useLayoutEffect(() => setCount(count + 1)); ${same}`,
        SAME,
        'error #185',
      ],
      [
        'loads a part whose chunk is missing',
        "const [isOpen, open] = useState(false); useEffect(() => open(true), []); return h('p', null, 'same', isOpen && h(React.Suspense, null, h(MissingPart)));",
        SAME,
        'Loading chunk 7 failed',
      ],
      [
        'waits for what never comes',
        "if (typeof window !== 'undefined') React.use(never); return h('p', null, 'same');",
        SAME,
        /React error #426|not interactive/,
      ],
      [
        'throws when it is unmounted',
        effect("return () => { throw new Error('at the end'); };"),
        SAME,
        'at the end',
      ],
      ['runs text', effect("eval('1');"), SAME, 'unsafe-eval'],
      [
        'has a React of its own',
        `const [text] = Second.useState('same'); return h('p', null, text);`,
        SAME,
        'useState',
      ],
      [
        'reads the environment of Node',
        "return h('p', null, process.env.BRAND);",
        '<p></p>',
        'process is not',
      ],
    ] as const
  ).map(([fault, view, html, found]): BrokenSlot => ({ fault, view, html, rule: 'BROWSER_RENDER', found })),
  ...(
    [
      ['leaves a rejection', effect("void Promise.reject(new Error('nobody caught'));"), 'nobody caught'],
      [
        'throws in a timer',
        effect(
          "const timer = setTimeout(() => { throw new Error('in a timer'); }, 5); return () => clearTimeout(timer);",
        ),
        'in a timer',
      ],
      ['reports an error in the console', effect("console.error('no such brand');"), 'no such brand'],
      [
        'emits events without end',
        effect("for (let at = 0; at < 500; at += 1) emit('page.announced', { message: 'more' });"),
        'emits more than 200 events',
      ],
      [
        'calls in a loop',
        effect(
          "let isOpen = true; (async () => { while (isOpen) await call('zipLookup', { zip: '30301' }); })(); return () => { isOpen = false; };",
        ),
        'makes more than 300 calls',
      ],
      ['emits what is no event', effect("emit('page.made-up', {});"), 'page.made-up'],
      [
        'emits an event with another payload',
        effect("emit('page.announced', { message: 7 });"),
        'page.announced',
      ],
      [
        'changes the page without end',
        "const [count, setCount] = useState(0); useEffect(() => { const timer = setTimeout(() => setCount(count + 1), 4); return () => clearTimeout(timer); }); return h('p', null, count === 0 ? 'same' : count);",
        'still changes the page',
      ],
      [
        'adds elements without end',
        effect(
          "ref.current.append(...Array.from({ length: 50_001 }, () => document.createElement('i')));",
        ).replace(same, "return h('p', { ref }, 'same');"),
        'elements',
      ],
    ] as const
  ).map(([fault, view, found]): BrokenSlot => ({ fault, view, html: SAME, rule: 'BROWSER_ERROR', found })),
  ...(
    [
      [
        'adds a style element',
        effect(
          "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b { color: red }' }));",
        ),
        'style-src',
      ],
      [
        'shows a picture of another site',
        effect(addImage('https://pictures.example/a.png')),
        'pictures.example',
      ],
      ['fetches from another site', effect("fetch('https://api.example/').catch(() => {});"), 'api.example'],
      [
        'connects to another site',
        effect("try { new WebSocket('wss://live.example/'); } catch {}"),
        'live.example',
      ],
      [
        'sends a beacon to another site',
        effect("navigator.sendBeacon('https://count.example/', 'x');"),
        'count.example',
      ],
      [
        'makes HTML of text',
        effect("try { ref.current.innerHTML = '<b>bold</b>'; } catch {}").replace(
          same,
          "return h('p', { ref }, 'same');",
        ),
        'TrustedHTML|innerHTML|require-trusted-types-for',
      ],
      [
        'opens a frame of another site',
        effect(
          "document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://ads.example/' }));",
        ),
        'ads.example',
      ],
    ] as const
  ).map(([fault, view, found]): BrokenSlot => ({
    ...{ fault, view, html: SAME, rule: 'BROWSER_POLICY' },
    found: new RegExp(found),
  })),
  ...(
    [
      ['leaves a listener on the window', "addEventListener('resize', () => {});", 'resize on window'],
      [
        'leaves a listener on the document',
        "document.addEventListener('keydown', () => {}, { passive: true });",
        'keydown on HTMLDocument',
      ],
      [
        'removes another listener than it added',
        "addEventListener('scroll', () => {}); return () => removeEventListener('scroll', () => {});",
        'scroll on window',
      ],
      [
        'leaves a listener on a media query',
        "matchMedia('(min-width: 1px)').addEventListener('change', () => {});",
        'change on MediaQueryList',
      ],
      ['leaves an interval', 'setInterval(() => {}, 1_000);', 'setInterval of 1000 ms'],
      ['leaves a timer', 'setTimeout(() => {}, 60_000);', 'setTimeout of 60000 ms'],
      [
        'asks for frames without end',
        'const draw = () => requestAnimationFrame(draw); draw();',
        'requestAnimationFrame',
      ],
      [
        'leaves a channel open',
        "new BroadcastChannel('zip').addEventListener('message', () => {});",
        'message on BroadcastChannel',
      ],
    ] as const
  ).map(([fault, code, found]): BrokenSlot => ({
    ...{ fault, view: effect(code), html: SAME },
    ...{ rule: 'BROWSER_LEFTOVER', found },
  })),
];

/** Slots that are as they should be, although they look like broken ones. */
const GOOD: readonly (readonly [what: string, view: string, html: string])[] = [
  ['shows the same', same, SAME],
  [
    'reads the browser in an effect',
    "const [width, setWidth] = useState(0); useEffect(() => setWidth(innerWidth), []); return h('p', null, width);",
    '<p>0</p>',
  ],
  [
    'stops and removes what it has started',
    effect(`
      const stop = new AbortController();
      const listen = () => {};
      addEventListener('resize', listen);
      document.addEventListener('keydown', listen, { signal: stop.signal });
      addEventListener('scroll', listen, true);
      const timers = [setTimeout(listen, 60_000), setInterval(listen, 1_000)];
      const frame = requestAnimationFrame(listen);
      return () => {
        removeEventListener('resize', listen);
        removeEventListener('scroll', listen, true);
        stop.abort();
        timers.forEach((timer) => clearTimeout(timer));
        cancelAnimationFrame(frame);
      };`),
    SAME,
  ],
  ['lets a short timer end', effect('setTimeout(() => {}, 20);'), SAME],
  ['handles a call that fails', effect("call('made-up', {}).catch(() => {});"), SAME],
  [
    'shows a picture of the site',
    "return h('img', { src: '/pictures/1.webp', alt: '', loading: 'lazy' });",
    '<img src="/pictures/1.webp" alt="" loading="lazy"/>',
  ],
];

const nameOf = (index: number): string => `slot${index}`;

/** An entry whose slots have these views. */
const entryOf = (views: readonly string[]): string => `
  var sample = (() => {
    let scope;
    const share = async (name) => (await Object.values(scope[name])[0].get())();
    const Second = ((exports) => { ${REACT}; return exports; })({});
    const never = new Promise(() => {});
    return {
      init: (given) => { scope = given; },
      async get(expose) {
        const React = await share('react');
        const { defineSlot, useSlotEnvironment } = await share('@forecourt/slots');
        const { createElement: h, useEffect, useState, useRef } = React;
        const MissingPart = React.lazy(() => Promise.reject(new Error('Loading chunk 7 failed')));
        const views = {
          ${views
            .map(
              (view, index) =>
                `'./${nameOf(index)}': () => { const { emit, call } = useSlotEnvironment(); const ref = useRef(null); ${view} }`,
            )
            .join(',\n')}
        };
        const slot = defineSlot({ reads: [], view: views[expose] });
        return () => ({ default: slot });
      },
    };
  })();`;

const PAGE = { name: 'ordinary', state: {}, answers: { zipLookup: { data: {} } } };

(chrome === undefined ? describe.skip : describe)('the gate in Chrome', () => {
  let browser: TrialBrowser;
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let script: Promise<string>;
  const tryEntry = async (entry: string): Promise<TrialReport> => {
    const release = sampleRelease({ files: { 'web/remoteEntry.js': entry } });
    await writeRelease(folder.path, release);
    const { manifest } = release;
    return browser.try({ dist: folder.path, manifest, pages: [], renders: [], times: TIMES });
  };
  const trySlots = async (slots: readonly { view: string; html: string }[], times?: typeof TIMES) => {
    const release = sampleRelease({
      files: { 'web/remoteEntry.js': entryOf(slots.map(({ view }) => view)) },
    });
    const names = slots.map((_, index) => nameOf(index));
    const { panel } = release.manifest.slots;
    release.manifest.slots = Object.fromEntries(
      names.map((name) => [name, { ...panel, expose: `./${name}` }]),
    ) as typeof release.manifest.slots;
    await writeRelease(folder.path, release);
    return browser.try({
      dist: folder.path,
      manifest: release.manifest,
      pages: [PAGE],
      renders: slots.map(({ html }, index) => ({ slot: nameOf(index), page: 0, server: { html } })),
      ...(times && { times }),
    });
  };
  beforeAll(async () => {
    folder = await temporaryDirectory();
    const directory = process.cwd();
    const { shared } = await localProvides(directory);
    script = packTrialPage(providingFolder(directory), shared);
    browser = await openTrialBrowser(chrome ?? '', { script, progressMs: PROGRESS_MS });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await folder.remove();
  });

  it('accepts a release whose entry runs and whose slots are slots', async () => {
    expect((await tryEntry(loading(''))).refusals).toEqual([]);
  }, 20_000);

  it.each(UNLOADABLE)(
    'refuses an entry that %s',
    async (_, entry, rule, found) => {
      const [refusal] = (await tryEntry(entry)).refusals;
      expect(refusal?.rule).toBe(rule);
      expect(refusal?.found).toMatch(found);
    },
    20_000,
  );

  it('measures how long an entry takes to run', async () => {
    const busy = 'const until = performance.now() + 200; while (performance.now() < until);';
    expect((await tryEntry(starting(busy))).evaluationMs).toBeGreaterThanOrEqual(200);
  }, 20_000);

  describe('over a recorded page', () => {
    let refusals: Map<string, Refusal[]>;
    // One page for all of them.
    beforeAll(async () => {
      const report = await trySlots(BROKEN, TIMES);
      refusals = Map.groupBy(report.refusals, ({ expected }) => /slot\d+/.exec(expected)?.[0] ?? '');
    }, 60_000);

    it.each(BROKEN.map((slot, index) => [slot.fault, index] as const))(
      'refuses a slot that %s',
      (_, index) => {
        const { rule, found } = BROKEN[index] as BrokenSlot;
        const own = refusals.get(nameOf(index)) ?? [];
        expect(own).toContainEqual(expect.objectContaining({ rule, found: expect.stringMatching(found) }));
      },
    );
  });

  it('accepts slots that read the browser in effects, and stop what they start', async () => {
    const slots = GOOD.map(([, view, html]) => ({ view, html }));
    const { refusals, renders } = await trySlots(slots);
    expect(refusals).toEqual([]);
    expect(renders.map(({ isGood, context }) => [isGood, context])).toEqual(
      slots.map(() => [true, 'ordinary']),
    );
    expect(renders[1]?.html).toMatch(/^<p>\d{3,}<\/p>$/);
  }, 20_000);

  // The last one: the page never responds again.
  it('names the slot and the recorded page of a view that never returns', async () => {
    const endless = `if (typeof window !== 'undefined') for (;;); ${same}`;
    const { refusals } = await trySlots([
      { view: same, html: SAME },
      { view: endless, html: SAME },
    ]);
    expect(refusals).toMatchObject([
      {
        rule: 'BROWSER_ERROR',
        expected: expect.stringContaining("slot slot1 on the recorded page 'ordinary'"),
        found: `the page did not respond for ${PROGRESS_MS / 1000} s`,
      },
    ]);
  }, 20_000);
});
