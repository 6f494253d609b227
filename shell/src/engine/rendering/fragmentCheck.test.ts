import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { renderToString } from 'react-dom/server';
import { createElement, type ReactNode } from 'react';
import { checkFragment, type FragmentRule } from './fragmentCheck.ts';

const OWNER = { slot: 'tiny', ids: ['known'], isMain: false };
const ruleOf = (html: string) => checkFragment(html, OWNER)?.rule;

describe('HTML of a slot', () => {
  it.each<[string, FragmentRule, string]>([
    ['an open comment', 'SYNTAX', '<p>x</p><!--'],
    ['a comment with a tag', 'SYNTAX', '<!--><script>-->'],
    ['a comment that ends another way', 'SYNTAX', '<!-- x --!><p></p>'],
    ['a stray less-than sign', 'SYNTAX', '<p>1 < 2</p>'],
    ['an unquoted attribute', 'SYNTAX', '<p title=x>x</p>'],
    ['a single-quoted attribute', 'SYNTAX', "<p title='x'>x</p>"],
    ['an attribute that is not closed', 'SYNTAX', '<p title="x>x</p>'],
    ['a tag that is not closed', 'SYNTAX', '<p>x</p><div class="a"'],
    ['a document type', 'SYNTAX', '<!DOCTYPE html>'],
    ['a processing instruction', 'SYNTAX', '<?xml version="1.0"?>'],
    ['CDATA', 'SYNTAX', '<svg><![CDATA[<p>]]></svg>'],
    ['a null character in a tag name', 'SYNTAX', '<scr\0ipt></script>'],
    ['a slash between name and attribute', 'SYNTAX', '<img/src="x"/>'],
    ['the end of the main element', 'BALANCE', '</main>'],
    ['the end of its own container', 'BALANCE', '</div><div>'],
    ['an element that is not closed', 'BALANCE', '<div><p>x</p>'],
    ['elements that overlap', 'BALANCE', '<b><i>x</b></i>'],
    ['an HTML element that closes itself', 'BALANCE', '<div/>'],
    ['201 levels', 'BALANCE', '<div>'.repeat(201) + '</div>'.repeat(201)],
    ['a script', 'ELEMENT', '<script>alert(1)</script>'],
    ['a style sheet', 'ELEMENT', '<style>*{display:none}</style>'],
    ['a base', 'ELEMENT', '<base href="https://evil.example/"/>'],
    ['a meta element', 'ELEMENT', '<meta http-equiv="refresh" content="0"/>'],
    ['a link to a style sheet', 'ELEMENT', '<link rel="stylesheet" href="/x.css"/>'],
    ['an object', 'ELEMENT', '<object data="/x"></object>'],
    ['a frame', 'ELEMENT', '<iframe src="/x"></iframe>'],
    ['plain text mode', 'ELEMENT', '<plaintext></plaintext>'],
    ['a second body', 'ELEMENT', '<body class="x"></body>'],
    ['SVG that embeds HTML', 'ELEMENT', '<svg><foreignObject></foreignObject></svg>'],
    ['SVG that changes attributes', 'ELEMENT', '<svg><set attributeName="href"></set></svg>'],
    ['a title outside of SVG', 'ELEMENT', '<title>x</title>'],
    ['a tag in a text area', 'ELEMENT', '<textarea><b></b></textarea>'],
    ['an event handler', 'ATTRIBUTE', '<p onclick="x()">x</p>'],
    ['an event handler in capitals', 'ATTRIBUTE', '<p ONCLICK="x()">x</p>'],
    ['a frame document', 'ATTRIBUTE', '<p srcdoc="x">x</p>'],
    ['a ping', 'ATTRIBUTE', '<a href="/" ping="https://evil.example/">x</a>'],
    ['a style that loads', 'ATTRIBUTE', '<p style="background:url(//evil.example)">x</p>'],
    ['a nonce', 'ATTRIBUTE', '<p nonce="x">x</p>'],
    ['a script URL', 'URL', '<a href="javascript:x()">x</a>'],
    ['a script URL behind a space', 'URL', '<a href=" javascript:x()">x</a>'],
    ['a script URL with a character reference', 'URL', '<a href="java&#115;cript:x()">x</a>'],
    ['a script URL with a tab', 'URL', '<a href="java\tscript:x()">x</a>'],
    ['a data document', 'URL', '<a href="data:text/html,x">x</a>'],
    ['a form that sends elsewhere', 'URL', '<form action="https://evil.example/"></form>'],
    ['a form that sends elsewhere without a scheme', 'URL', '<form action="//evil.example/"></form>'],
    ['a button that sends elsewhere', 'URL', '<button formAction="https://evil.example/">x</button>'],
    ['an id of the shell', 'ID', '<p id="fc-boot">x</p>'],
    ['an id of another slot', 'ID', '<p id="_results-R_1_">x</p>'],
    ['a field of another slot’s form', 'ID', '<input form="_filters-R_1_" name="make" value="x"/>'],
    ['a button of another slot’s form', 'ID', '<p id="tiny-a"><button FORM="filters-form">x</button></p>'],
    ['a label of another slot’s field', 'ID', '<label for="_filters-R_1_">x</label>'],
    ['a button that opens another’s dialog', 'ID', '<button popoverTarget="fc-menu">x</button>'],
    ['a button that commands another’s dialog', 'ID', '<button commandfor="fc-menu">x</button>'],
    ['a claim to own another slot', 'ID', '<div aria-owns="tiny-a slot-results"></div>'],
    ['a form that becomes a property of the document', 'ATTRIBUTE', '<form name="querySelector"></form>'],
    ['a picture that does', 'ATTRIBUTE', '<img NAME="getElementById" src="/x"/>'],
    ['a style that covers the page', 'ATTRIBUTE', '<p style="inset:0;position: fixed">x</p>'],
    ['a style with a comment', 'ATTRIBUTE', '<p style="position:/**/fixed">x</p>'],
    ['an id twice', 'ID', '<p id="known">x</p><p id="known">x</p>'],
  ])('with %s is refused', (_, rule, html) => {
    const violation = checkFragment(html, OWNER);
    expect(violation).toMatchObject({ rule });
    expect(checkFragment(Buffer.from(html), OWNER)).toEqual(violation);
  });

  it.each([
    ['text and elements', '<p class="x">a &amp; b<!-- -->c</p>'],
    ['empty elements', '<img src="/a.svg" alt=""/><br/><input type="text" value=""/>'],
    ['its own ids', '<p id="_tiny-R_1_">x</p><p id="tiny-x">x</p><p id="known">x</p>'],
    ['links', '<a href="/x?a=1&amp;b=2">x</a><a href="https://example.com/">x</a><a href="tel:+1">x</a>'],
    ['references to its own elements', '<label for="tiny-x">x</label><input id="tiny-x" form="known"/>'],
    ['a form to the same origin', '<form action="/search"><button>x</button></form>'],
    ['SVG', '<svg viewBox="0 0 1 1"><title>x</title><path d="M0 0"></path></svg>'],
    [
      'a preload of a picture',
      '<link rel="preload" as="image" href="/a.svg" fetchPriority="high"/><img src="/a.svg"/>',
    ],
    ['letters beyond ASCII', '<p title="“Škoda”">‑ à \u{1f697}</p>'],
    ['nothing', ''],
  ])('with %s is sent', (_, html) => {
    expect(checkFragment(html, OWNER)).toBeUndefined();
    expect(checkFragment(Buffer.from(html), OWNER)).toBeUndefined();
  });

  it.each([
    ['an overlong `<`', [0xc0, 0xbc]],
    ['the start of a character, whose rest would be the shell’s', [0x61, 0xe2]],
  ])('is refused with %s in its bytes', (_, bytes) => {
    expect(checkFragment(Buffer.from(bytes), OWNER)).toMatchObject({ rule: 'SYNTAX' });
  });

  it('is quoted as text in a violation of its bytes', () => {
    expect(checkFragment(Buffer.from('<p id="Škoda">x</p>'), OWNER)?.found).toBe('Škoda');
  });

  it('may use any id but the shell’s when the slot is the page', () => {
    const main = { ...OWNER, isMain: true };
    expect(checkFragment('<h2 id="payment">x</h2>', main)).toBeUndefined();
    expect(checkFragment('<h2 id="fc-boot">x</h2>', main)?.rule).toBe('ID');
    expect(checkFragment('<h2 id="slot-results">x</h2>', main)?.rule).toBe('ID');
  });

  it('is never refused when React wrote it from ordinary elements', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('<!--', '</div>', '"', '&lt;', "'><script>"));
    const leaf: fc.Arbitrary<ReactNode> = text;
    const tree = fc.letrec<{ node: ReactNode }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc
          .tuple(
            fc.constantFrom(
              'div',
              'p',
              'span',
              'ul',
              'li',
              'table',
              'section',
              'a',
              'button',
              'select',
              'svg',
            ),
            fc.record(
              { title: text, 'data-x': text, className: text, 'aria-label': text },
              { requiredKeys: [] },
            ),
            fc.array(tie('node'), { maxLength: 4 }),
          )
          .map(([type, props, children]) => createElement(type, props, ...children)),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (node) => {
        const html = renderToString(createElement('div', null, node)).replaceAll('\0', '');
        expect(checkFragment(html, OWNER)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('stays inside of its container in a real parser whenever it is sent', () => {
    const piece = fc.oneof(
      fc
        .constantFrom(
          'div',
          'p',
          'b',
          'a',
          'form',
          'table',
          'tr',
          'td',
          'li',
          'ul',
          'select',
          'option',
          'svg',
          'path',
        )
        .chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`, `<${name} id="tiny-${name}">`)),
      fc
        .constantFrom(
          'button',
          'template',
          'noscript',
          'textarea',
          'title',
          'caption',
          'h1',
          'dd',
          'details',
          'g',
        )
        .chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`)),
      fc.constantFrom(
        '<br/>',
        '<img src="/x"/>',
        '<input/>',
        '<hr/>',
        '<!-- -->',
        '<!--',
        '-->',
        'text',
        '&lt;',
      ),
      fc.constantFrom(
        '<script>',
        '</script>',
        '</main>',
        '<body>',
        '<base href="/"/>',
        '<plaintext>',
        '"',
        '>',
      ),
    );
    /** Nests pieces so that many fragments are balanced. */
    const fragment = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        piece,
        fc
          .tuple(
            fc.constantFrom(
              'div',
              'p',
              'b',
              'a',
              'form',
              'table',
              'tbody',
              'tr',
              'td',
              'li',
              'select',
              'button',
              'svg',
              'g',
              'title',
              'template',
              'noscript',
              'h1',
              'option',
              'ruby',
              'rt',
            ),
            fc.array(tie('node'), { maxLength: 4 }),
          )
          .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
        fc.array(tie('node'), { maxLength: 3 }).map((parts) => parts.join('')),
      ),
    })).node;
    let sent = 0;
    fc.assert(
      fc.property(fragment, (html) => {
        if (ruleOf(html)) return;
        sent += 1;
        for (const scriptingEnabled of [true, false]) {
          const page = parseFragment(`<main><div>${html}</div><p>after</p></main>`, { scriptingEnabled });
          const [main, ...others] = page.childNodes as DefaultTreeAdapterTypes.Element[];
          expect(others).toEqual([]);
          const children = (main?.childNodes ?? []) as DefaultTreeAdapterTypes.Element[];
          expect(children.map(({ nodeName }) => nodeName)).toEqual(['div', 'p']);
          expect(children[1]?.childNodes).toMatchObject([{ nodeName: '#text', value: 'after' }]);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(sent).toBeGreaterThan(300);
  });
});
