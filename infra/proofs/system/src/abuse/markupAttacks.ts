import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFreshBrowser, type Page } from '@forecourt/harness/browser';
import { type Entry, PAGE, send, type Site } from './site.ts';

// Markup that a sanitizer and a browser read differently, or whose names replace what scripts look up. A dealer's own text is
// the only HTML from elsewhere that pages show.

const HIT = '<img src="data:," onerror="hit()">';
/** Inside an attribute value in double quotes. */
const QUOTED_HIT = HIT.replaceAll('"', "'");
const MUTATIONS: Readonly<Record<string, string>> = {
  'text of noscript': `<noscript><p title="</noscript>${QUOTED_HIT}"></noscript>`,
  'a style in SVG': `<svg></p><style><a title="</style>${QUOTED_HIT}">`,
  'a comment in a style in MathML': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">`,
  'nested forms in MathML': `<form><math><mtext></form><form><mglyph><style></math>${HIT}`,
  'text of textarea': `<textarea><a title="</textarea>${QUOTED_HIT}"></textarea>`,
  'text of title': `<title><a title="</title>${QUOTED_HIT}"></title>`,
  'text of xmp': `<xmp><a title="</xmp>${QUOTED_HIT}"></xmp>`,
  'text of a frame': `<iframe><a title="</iframe>${QUOTED_HIT}"></iframe>`,
  'a comment that ends at once': `<!-->${HIT}-->`,
  'a comment with a wrong end': `<!-- --!>${HIT}-->`,
  'elements nested 600 deep': `${'<div>'.repeat(600)}${HIT}`,
  'an event handler': HIT,
  'a null character in a tag': `<im\u0000g><img src="data:," onerror\u0000="1" onerror="hit()">`,
  'a script URL with white space': '<a href="java&#9;script:hit()">x</a>',
  'a script URL in SVG': '<svg><a xlink:href="javascript:hit()"><text y="20">x</text></a></svg>',
};
const CLOBBERING: Readonly<Record<string, string>> = {
  'the id of the boot data': '<a id="fc-boot" href="/x">x</a>',
  'the name of the recorded input': '<img name="fcEarly" src="/x.svg">',
  'two levels of names': '<form id="fcEarlySearch"><input name="handOver"></form>',
  'a property of the document': '<img name="cookie" src="/x.svg"><form name="body"></form>',
};

/** What the page would do or contain if a script inserted this markup, twice: `serialize` and parse again may change it. */
const harmOf = (page: Page, html: string): Promise<string | undefined> =>
  page.evaluate(async (markup: string) => {
    let hits = 0;
    Object.assign(window, { hit: () => (hits += 1) });
    // Not in `document.body`, which the markup may replace.
    const root = document.createElement('main');
    const [first, second] = [document.createElement('div'), document.createElement('div')];
    root.append(first, second);
    document.documentElement.append(root);
    first.innerHTML = markup;
    second.innerHTML = first.innerHTML;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const active = [...root.querySelectorAll('*')].find(
      (element) =>
        element.matches('script, style, iframe, object, embed, form, base, meta, link, [id], [name]') ||
        [...element.attributes].some(
          ({ name, value }) =>
            name.startsWith('on') || /^\W*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t/i.test(value),
        ),
    );
    root.remove();
    return hits > 0 ? 'a script ran' : active?.outerHTML.slice(0, 80);
  }, html);

/** The first seller that may have a text. */
async function dealerOf(api: string): Promise<string> {
  const { listings } = JSON.parse((await send(`${api}/rest/lsc/listing?numRecords=30`)).text) as {
    listings: { ownerId: number | string }[];
  };
  for (const { ownerId } of listings)
    if ((await send(`${api}/content/dealer_diff/${ownerId}.json`)).status === 200) return String(ownerId);
  throw new Error('no seller has a text');
}

/** A dealer's text as the API serves it, after its file has been replaced. */
async function servedText({ api, dataDir }: Site, html: string): Promise<string> {
  const dealer = await dealerOf(api);
  const folder = join(dataDir, 'content/dealer_diff');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${dealer}.html`), `<p>kept</p>${html}`, { mode: 0o600 });
  const served = await send(`${api}/content/dealer_diff/${dealer}.html`);
  if (!served.text.includes('kept')) throw new Error(`the text was not served: ${served.status}`);
  return served.text;
}

const inText = (topic: string, vectors: Readonly<Record<string, string>>): readonly Entry[] =>
  Object.entries(vectors).map(([what, html]): Entry => [
    topic,
    `a dealer’s text with ${what}`,
    async (site) => {
      const served = await servedText(site, html);
      return inFreshBrowser(async (page) => {
        // Without the sanitizer it must do harm, or it proves nothing.
        if ((await harmOf(page, html)) === undefined) return 'harmless as it is';
        return harmOf(page, served);
      });
    },
  ]);

const IN_PAGES: readonly Entry[] = [
  `${PAGE}?keyword=${encodeURIComponent('<a id=fc-boot><img name=fcEarly>')}`,
  `${PAGE}?zip=${encodeURIComponent('<a id=fc-boot>')}`,
  `/cars-for-sale/vehicle/${encodeURIComponent('<a id=fc-boot>')}`,
].map((path): Entry => [
  'DOM clobbering',
  `names in ${decodeURIComponent(path)}`,
  ({ shell }) =>
    inFreshBrowser(async (page) => {
      await page.goto(shell + path, { waitUntil: 'load' });
      return page.evaluate(() => {
        const named = document.querySelectorAll('#fc-boot, [name="fcEarly"]');
        const isOwn = [...named].every(({ localName }) => localName === 'script') && named.length <= 1;
        return isOwn && !((window as { fcEarly?: unknown }).fcEarly instanceof Element)
          ? undefined
          : named[0]?.outerHTML.slice(0, 80);
      });
    }),
]);

/** Stored markup that becomes active, or hides what scripts look up, when a browser parses it. */
export const MARKUP_ATTACKS: readonly Entry[] = [
  ...inText('Mutation XSS', MUTATIONS),
  ...inText('DOM clobbering', CLOBBERING),
  ...IN_PAGES,
];
