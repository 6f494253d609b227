import { describe, expect, it } from '@jest/globals';
import { anonymousSession } from '@forecourt/search/state';
import { buildListing, buildState } from '@forecourt/search/testing';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { messagePage, notFoundPage, searchErrorPage } from './messagePages.ts';
import { openSlot } from '../../engine/compose/slotMarkup.ts';
import { frame } from './frame.ts';
import {
  cssForStyle,
  escapeHtml,
  inlineScript,
  inlineStyle,
  jsonForScript,
} from '../../engine/compose/html.ts';
import { preloadList } from '../../engine/compose/shellAssets.ts';
import { LAYOUT } from '../layouts.ts';
import { plainHero, plainResults } from '../results/plainResults.ts';

const NASTY = '</script><!--<script>"\'&\u2028';
/** Text in pieces that mean something to a parser of HTML. NUL is left out: HTML has no way to write it. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replace(/[\0\r\ud800-\udfff]/g, '')),
  fc.string({
    unit: fc.constantFrom(
      ...['<', '>', '"', "'", '`', '&', ';', '/', '=', ' ', '\n', '\u2028', '\u2029', 'x', '\\'],
      ...['&lt', '&#39;', '&amp;lt;', '&notit;', '<!--', '-->', '--!>', ']]>', '<![CDATA['],
      ...[
        '</script',
        '</SCRIPT >',
        '<script',
        '</style',
        '</STYLE >',
        '</textarea>',
        ' onload=',
        'javascript:',
      ],
    ),
  }),
);
type Element = DefaultTreeAdapterTypes.Element;
/** The only nodes that a browser makes of the HTML; there must be `count` of them, and none inside of another. */
function parsed(html: string, count: number): Element[] {
  const nodes = parseFragment(html).childNodes as Element[];
  expect(nodes).toHaveLength(count);
  for (const { childNodes } of nodes)
    expect(childNodes.filter(({ nodeName }) => nodeName !== '#text')).toEqual([]);
  return nodes;
}
const textOf = ({ childNodes }: Element): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

describe('escapeHtml', () => {
  it('writes any text into an element and a quoted attribute, and a parser reads that text and nothing else', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [element, other] = parsed(`<p title="${escapeHtml(text)}">${escapeHtml(text)}</p><i></i>`, 2);
        expect([textOf(element!), element!.attrs]).toEqual([text, [{ name: 'title', value: text }]]);
        expect(other!.tagName).toBe('i');
        const single = parsed(`<p title='${escapeHtml(text)}'></p>`, 1);
        expect(single[0]!.attrs).toEqual([{ name: 'title', value: text }]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('jsonForScript', () => {
  it('writes any value into a script element, and a parser reads that value and nothing else', () => {
    // After an object with the key '\\', V8 13.6 parses the key '\u003c' as '\\': such text stands in pairs.
    const key = hostile.filter((text) => !text.includes('\\'));
    const inside = fc.oneof(hostile, fc.array(hostile), fc.integer());
    const json = fc.oneof(fc.dictionary(key, inside), fc.array(fc.tuple(hostile, inside)));
    fc.assert(
      fc.property(json, (value) => {
        const written = jsonForScript(value);
        const [script] = parsed(`<script type="application/ld+json">${written}</script><i></i>`, 2);
        expect(JSON.parse(textOf(script!))).toEqual(JSON.parse(JSON.stringify(value)));
        // As JavaScript, where line separators once ended a string.
        expect(written).not.toMatch(/[\u2028\u2029]/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('cssForStyle', () => {
  it('writes any style sheet into a style element, and a parser finds no other element', () => {
    fc.assert(
      fc.property(hostile, (css) => {
        const [style, other] = parsed(`<style>${cssForStyle(css)}</style><i></i>`, 2);
        expect(textOf(style!).replaceAll('<\\/', '</').toLowerCase()).toBe(
          css.replaceAll('<\\/', '</').toLowerCase(),
        );
        expect(other!.tagName).toBe('i');
      }),
      { numRuns: 500 },
    );
  });
});

describe('inlineScript', () => {
  it.each(['"</script>"', '"</SCRIPT >"', '"<!--"'])('refuses %s, which would end the element', (script) => {
    expect(() => inlineScript(script)).toThrow('end its element');
  });
});

describe('page head', () => {
  const head = (changes: object = {}) =>
    frame.head({
      head: {
        title: NASTY,
        description: NASTY,
        canonical: '/cars-for-sale/all-cars',
        isIndexed: true,
        heroImage: '/pictures/"x".svg',
        ...changes,
      },
      session: anonymousSession,
      origin: 'http://localhost"><script>',
      style: inlineStyle('a{}'),
    });

  it('escapes external text', () => {
    const html = head();
    expect(html).toContain('<title>&lt;/script&gt;&lt;!--');
    expect(html).not.toMatch(/<script\b[^>]*>/);
    expect(html).not.toContain('<!--');
  });

  it('describes the page for link previews, with its photo but not a drawing', () => {
    const propertiesOf = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)].map(
          ([, name, content]) => [name, content],
        ),
      );
    const page = { title: 'F-150 & more', description: 'Used', shareImage: '/pictures/share/1.jpg' };
    const origin = 'http://localhost&quot;&gt;&lt;script&gt;';
    expect(propertiesOf(head(page))).toMatchObject({
      'og:title': 'F-150 &amp; more',
      'og:description': 'Used',
      'og:url': `${origin}/cars-for-sale/all-cars`,
    });
    const illustrated = frame.head({
      head: { ...page, canonical: '/a', isIndexed: true },
      session: anonymousSession,
      origin: 'https://cars.example',
      style: inlineStyle('a{}'),
    });
    expect(propertiesOf(illustrated)).toMatchObject({
      'og:image': 'https://cars.example/pictures/share/1.jpg',
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'F-150 &amp; more',
      'twitter:card': 'summary_large_image',
    });
    const plain = propertiesOf(head({ heroImage: '/pictures/1.svg' }));
    expect(plain).toMatchObject({ 'twitter:card': 'summary' });
    expect(plain).not.toHaveProperty('og:image');
  });

  it('preloads the first picture and no scripts', () => {
    const html = head();
    expect(html).toContain(
      '<link rel="preload" as="image" href="/pictures/&quot;x&quot;.svg" fetchpriority="high">',
    );
  });

  it('lists the remotes’ scripts with their integrity as data that cannot end its element', () => {
    const list = preloadList([{ url: '/remotes/mfe-x/1.0.0/web/</script>.js', integrity: 'sha384-b' }]);
    const [, json = ''] = /^<script type="application\/json" id="[\w-]+">(.*?)<\/script>$/.exec(list) ?? [];
    expect(JSON.parse(json)).toEqual([['/remotes/mfe-x/1.0.0/web/</script>.js', 'sha384-b']]);
  });

  it('contains language, viewport and canonical link', () => {
    expect(head()).toMatch(/^<!doctype html><html lang="en".*<meta name="viewport".*<link rel="canonical"/s);
  });

  it('marks pages that are not indexed', () => {
    expect(head({ isIndexed: false })).toContain('<meta name="robots" content="noindex">');
    expect(head()).not.toContain('name="robots"');
  });

  // rows: B2-SKIP-01
  it('starts the body with a skip link to the listings', () => {
    expect(frame.top({ state: buildState(), currentUrl: '/', banner: '' })).toMatch(
      /^<a class="fc-skip" href="#listings">Skip to vehicle Listings<\/a>/,
    );
  });
});

describe('empty slot', () => {
  it('reserves its space', () => {
    for (const placement of LAYOUT.filter(({ deadlineMs }) => deadlineMs > 0)) {
      expect(openSlot(placement, { isFilled: false })).toContain(
        `--fc-reserve-wide:${placement.reserve.wide}`,
      );
      expect(openSlot(placement, { isFilled: true })).not.toContain('--fc-reserve');
    }
  });
});

describe('plain results', () => {
  it('list title, price and link of each listing, escaped', () => {
    const html = plainResults(
      buildState({
        listings: [buildListing({ title: NASTY }), buildListing({ id: '2', pricingDetail: {} })],
        totalResultCount: 2,
      }),
    );
    expect(html).not.toContain('<script');
    expect(html).toContain('$32,995');
    expect(html).toContain('Call for price');
    expect(html).toContain('href="/cars-for-sale/vehicle/2?clickType=listing"');
    expect(html).not.toContain('See More Results');
  });

  it('link to the next page', () => {
    const html = plainResults(buildState({ totalResultCount: 40 }));
    expect(html).toMatch(/<a class="fc-action" rel="next" href="[^"]*firstRecord=\d+">See More Results<\/a>/);
  });

  it('show a hint when there are none', () => {
    expect(plainResults(buildState({ listings: [] }))).toContain('Update filter criteria');
  });

  it('have a heading even when the hero fails', () => {
    const state = buildState({
      texts: { heading: 'Used <Ford>', title: '', description: '', canonicalUrl: '' },
    });
    expect(plainHero(state)).toBe('<h1 tabindex="-1">Used &lt;Ford&gt;</h1>');
  });
});

describe('pages without slots', () => {
  // rows: B2-ERROR-02
  it('repeat the search with every parameter by a button', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        const { body } = searchErrorPage(`/cars-for-sale/used?${query}`);
        const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
        const plain = (text = '') =>
          text.replace(
            /&(lt|gt|quot|#39|amp);/g,
            (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? '',
          );
        expect(fields.map(([, name, value]) => [plain(name), plain(value)])).toEqual([
          ...new URLSearchParams(query),
        ]);
      }),
    );
    expect(searchErrorPage('/a?x=b?c').body).toContain('name="x" value="b?c"');
    expect(searchErrorPage('/a').body).toContain(
      '<form action="/a" method="get"><button type="submit" class="fc-action">Please try again</button></form>',
    );
  });

  // rows: B2-ERROR-01
  it('have one h1 in one main landmark, a banner and no script', () => {
    for (const page of [notFoundPage, searchErrorPage('/cars-for-sale')]) {
      const html = messagePage(page, anonymousSession, inlineStyle('a{}'));
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toMatch(
        /<body><header .*<\/header><main class="fc-main">.*<h1>.*<\/main><footer .*<\/footer><\/body><\/html>$/s,
      );
      expect(html).not.toContain('<script');
    }
    expect(searchErrorPage('/').body).toContain(
      '<h1>We are sorry. There was an issue with your last search.</h1>',
    );
  });
});
