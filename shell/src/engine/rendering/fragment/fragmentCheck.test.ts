import { MAIN_END } from '../../universal/slotsResponse.ts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { renderToString } from 'react-dom/server';
import { createElement, type ReactNode } from 'react';
import { assertFragment, checkFragment } from './fragmentCheck.ts';
import type { FragmentRule } from './refused.ts';
import { HTML_ELEMENTS, SVG_ELEMENTS } from './slotHtml.data.ts';

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
    ['a script', 'ELEMENT', '<script>alert(1)</script>'],
    ['a style sheet', 'ELEMENT', '<style>*{display:none}</style>'],
    ['a base', 'ELEMENT', '<base href="https://evil.example/"/>'],
    ['a meta element', 'ELEMENT', '<meta http-equiv="refresh" content="0"/>'],
    ['the end of the main slot', 'ELEMENT', MAIN_END],
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
    ['a nonce', 'ATTRIBUTE', '<p nonce="x">x</p>'],
    ['a script URL', 'URL', '<a href="javascript:x()">x</a>'],
    ['a script URL behind a space', 'URL', '<a href=" javascript:x()">x</a>'],
    ['a script URL with a character reference', 'SYNTAX', '<a href="java&#115;cript:x()">x</a>'],
    ['a script URL with a tab', 'URL', '<a href="java\tscript:x()">x</a>'],
    ['a data document', 'URL', '<a href="data:text/html,x">x</a>'],
    ['a link with a newline before its scheme', 'URL', '<a href="\njavascript:x()">x</a>'],
    ['a form that sends elsewhere behind a tab', 'URL', '<form action="/\t/evil.example"></form>'],
    [
      'a form that sends elsewhere behind an encoded tab',
      'SYNTAX',
      '<form action="/&#9;/evil.example"></form>',
    ],
    ['a form that sends elsewhere', 'URL', '<form action="https://evil.example/"></form>'],
    ['a form that sends elsewhere without a scheme', 'URL', '<form action="//evil.example/"></form>'],
    ['a button that sends elsewhere', 'URL', '<button formAction="https://evil.example/">x</button>'],
    ['an id of the shell', 'ID', '<p id="fc-boot">x</p>'],
    ['an id of another slot', 'ID', '<p id="_results-R_1_">x</p>'],
    ['a field of another slot’s form', 'ID', '<input form="_filters-R_1_" name="make" value="x"/>'],
    ['a button of another slot’s form', 'ID', '<p id="tiny-a"><button FORM="filters-form">x</button></p>'],
    ['a label of another slot’s field', 'ID', '<label for="_filters-R_1_">x</label>'],
    ['a button that opens another’s dialog', 'ATTRIBUTE', '<button popoverTarget="fc-menu">x</button>'],
    ['a button that commands another’s dialog', 'ATTRIBUTE', '<button commandfor="fc-menu">x</button>'],
    ['a claim to own another slot', 'ID', '<div aria-owns="tiny-a slot-results"></div>'],
    ['a form that becomes a property of the document', 'ATTRIBUTE', '<form name="querySelector"></form>'],
    ['a section that closes those of its name', 'ATTRIBUTE', '<details name="x"></details>'],
    [
      'a choice among those of other slots',
      'NESTING',
      '<div><input type="radio" name="x" checked=""/></div>',
    ],
    ['such a choice in other letters', 'NESTING', '<input name="x" type="Radio"/>'],
    [
      'a choice whose form may be missing',
      'ATTRIBUTE',
      '<form><input type="radio" form="tiny-none" name="x"/></form>',
    ],
    ['a picture that does', 'ATTRIBUTE', '<img NAME="getElementById" src="/x"/>'],
    [
      'a claim to own another slot behind a character reference',
      'SYNTAX',
      '<div aria-owns="own&#32;shelf"></div>',
    ],
    ['a style that covers the page', 'STYLE', '<p style="inset:0;position: fixed">x</p>'],
    ['a style that covers the page behind a space', 'STYLE', '<p style="position :fixed">x</p>'],
    ['a style that covers the page in an encoded colon', 'SYNTAX', '<p style="position&#58;fixed">x</p>'],
    ['a style that covers the page in capitals', 'STYLE', '<p style="POSITION:fixed">x</p>'],
    ['a style that leaves its place', 'STYLE', '<p style="position:absolute;top:-900px">x</p>'],
    ['a style that leaves its place by a large percentage', 'STYLE', '<p style="left:-101%">x</p>'],
    ['a style that leaves its place by lengths', 'STYLE', '<p style="top:calc(100% + 900px)">x</p>'],
    ['a style that moves what is drawn', 'STYLE', '<p style="transform:translateY(-900px)">x</p>'],
    ['a style that shifts by a margin', 'STYLE', '<p style="margin-top:-900px">x</p>'],
    ['a style with a comment', 'STYLE', '<p style="width:/**/1px">x</p>'],
    ['a style with an escape', 'STYLE', '<p style="pos\\69tion:fixed">x</p>'],
    ['a style that loads', 'STYLE', '<p style="background:url(//evil.example)">x</p>'],
    ['a style that loads by a custom property', 'STYLE', '<p style="--a:url(//evil.example)">x</p>'],
    ['a style that loads by an encoded name', 'SYNTAX', '<p style="--a:u&#114;l(//evil.example)">x</p>'],
    ['a style that sets a token of the shell', 'STYLE', '<p style="--fc-accent:red">x</p>'],
    ['a picture that is drawn beyond its box', 'ATTRIBUTE', '<svg overflow="visible"></svg>'],
    ['a reference to another slot’s paint', 'ID', '<svg><path fill="url(#results-x)"></path></svg>'],
    ['a paint that loads', 'ATTRIBUTE', '<svg><path fill="url(https://evil.example/#a)"></path></svg>'],
    ['a copy of another slot’s drawing', 'URL', '<svg><use href="#results-x"></use></svg>'],
    ['an attribute twice', 'ATTRIBUTE', '<p style="width:1px" STYLE="width:2px">x</p>'],
    ['a class of the shell', 'ATTRIBUTE', '<p class="a fc-slot">x</p>'],
    ['the mark of a slot', 'ATTRIBUTE', '<p data-slot="results">x</p>'],
    ['an attribute of its own invention', 'ATTRIBUTE', '<p foo="x">x</p>'],
    ['a field that takes the focus', 'ATTRIBUTE', '<input autofocus=""/>'],
    ['a place in the tab order before the page', 'ATTRIBUTE', '<p tabindex="1">x</p>'],
    ['a shortcut', 'ATTRIBUTE', '<button accesskey="s">x</button>'],
    ['a text that can be edited', 'ATTRIBUTE', '<p contenteditable="true">x</p>'],
    ['a popover', 'ATTRIBUTE', '<p popover="auto">x</p>'],
    [
      'a button that commands a dialog',
      'ATTRIBUTE',
      '<button command="show-modal" commandfor="tiny-a">x</button>',
    ],
    ['an open dialog', 'ATTRIBUTE', '<dialog open="">x</dialog>'],
    ['a modal region', 'ATTRIBUTE', '<div role="dialog" aria-modal="true">x</div>'],
    ['a block in a paragraph', 'NESTING', '<p><b><div>x</div></b></p>'],
    ['a link in a link', 'NESTING', '<a href="/"><span><a href="/">x</a></span></a>'],
    ['a button in a button', 'NESTING', '<button><span><button>x</button></span></button>'],
    ['a form in a form', 'NESTING', '<form><div><form></form></div></form>'],
    ['a heading in a heading', 'NESTING', '<h2><span><h3>x</h3></span></h2>'],
    ['a list item outside of a list', 'NESTING', '<ul><li><div><li>x</li></div></li></ul>'],
    ['a table cell outside of a row', 'NESTING', '<div><td>x</td></div>'],
    ['a row without a table body', 'NESTING', '<table><tr><td>x</td></tr></table>'],
    ['text in a table', 'NESTING', '<table>x<tbody><tr><td>x</td></tr></tbody></table>'],
    ['a field in a selection', 'NESTING', '<select><input/></select>'],
    ['HTML in SVG', 'ELEMENT', '<svg><g><p>x</p></g></svg>'],
    ['65 levels', 'SIZE', '<div>'.repeat(65) + '</div>'.repeat(65)],
    ['16,001 elements', 'SIZE', '<i></i>'.repeat(16_001)],
    ['32,001 attributes', 'SIZE', '<i title="" lang="" dir=""></i>'.repeat(10_667)],
    ['501 ids', 'SIZE', Array.from({ length: 501 }, (_, at) => `<i id="tiny-${at}"></i>`).join('')],
    ['more than a megabyte', 'SIZE', 'x'.repeat(1024 * 1024 + 1)],
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
    ['a choice', '<form><p><label><input type="radio" name="x"/>x</label></p></form>'],
    ['sizes and custom properties', '<p style="inline-size:12.5%;--at:0;--size:calc(1px + 2em)">x</p>'],
    ['colors', '<span style="background-color:#a1b2c3"></span><p style="color:rgb(1 2 3 / 50%)">x</p>'],
    ['a place in percent', '<span style="left:34.16%;top:0%;width:13.39%">x</span>'],
    ['a place beside its box', '<span style="left:-99.5%;top:200%">x</span>'],
    [
      'a table',
      '<table><caption>x</caption><thead><tr><th scope="col">x</th></tr></thead><tbody> <tr><td><p>x</p></td></tr></tbody></table>',
    ],
    [
      'lists',
      '<ul><li>x<ol><li>x</li></ol></li></ul><dl><div><dt>x</dt><dd><dl><dt>x</dt></dl></dd></div></dl>',
    ],
    [
      'a selection',
      '<select name="a"><optgroup label="x"><option value="1" selected="">x</option></optgroup></select>',
    ],
    ['a paragraph in a button in a paragraph', '<p>x<button type="button"><p>x</p></button></p>'],
    ['a closed dialog', '<dialog aria-labelledby="tiny-x"><h2 id="tiny-x">x</h2></dialog>'],
    [
      'an element that takes the focus by script or in order',
      '<h2 tabindex="-1">x</h2><div tabindex="0">x</div>',
    ],
    [
      'its own drawing again',
      '<svg><path id="tiny-a" fill="url(#tiny-b)"></path><use href="#tiny-a"></use></svg>',
    ],
    ['64 levels', '<div>'.repeat(64) + '</div>'.repeat(64)],
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
    const props = fc.record(
      {
        title: text,
        'data-x': text,
        className: text.filter((name) => !/(?:^|\s)fc-/.test(name)),
        'aria-label': text,
      },
      { requiredKeys: [] },
    );
    const element = (name: string) => (children: readonly ReactNode[]) =>
      createElement(name, null, ...children);
    /** Elements as React expects them to be nested. */
    const tree = fc.letrec<{ phrase: ReactNode; flow: ReactNode }>((tie) => ({
      phrase: fc.oneof(
        { maxDepth: 4 },
        text,
        fc
          .tuple(
            fc.constantFrom('span', 'strong', 'em', 'label', 'svg'),
            props,
            fc.array(text, { maxLength: 3 }),
          )
          .map(([name, given, children]) => createElement(name, given, ...children)),
      ),
      flow: fc.oneof(
        { maxDepth: 5 },
        tie('phrase'),
        fc
          .tuple(fc.constantFrom('div', 'section', 'article'), props, fc.array(tie('flow'), { maxLength: 4 }))
          .map(([name, given, children]) => createElement(name, given, ...children)),
        fc.array(tie('phrase'), { maxLength: 3 }).map(element('p')),
        fc.array(tie('flow'), { maxLength: 3 }).map((items) =>
          createElement(
            'ul',
            null,
            items.map((item, at) => createElement('li', { key: at }, item)),
          ),
        ),
        fc.array(text, { maxLength: 3 }).map((options) =>
          createElement(
            'select',
            null,
            options.map((option, at) => createElement('option', { key: at }, option)),
          ),
        ),
        fc.array(tie('flow'), { maxLength: 3 }).map((cells) =>
          createElement(
            'table',
            null,
            createElement(
              'tbody',
              null,
              createElement(
                'tr',
                null,
                cells.map((cell, at) => createElement('td', { key: at }, cell)),
              ),
            ),
          ),
        ),
      ),
    })).flow;
    fc.assert(
      fc.property(tree, (node) => {
        const html = renderToString(createElement('div', null, node)).replaceAll('\0', '');
        expect(checkFragment(html, OWNER)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  /** Elements, attributes and depth as the tags say. */
  const shapeOfTags = (html: string) => {
    let depth = 0;
    const lines: string[] = [];
    for (const [, slash, name = '', end] of html.matchAll(/<(\/?)([a-zA-Z][\w]*)[^>]*?(\/?)>/g)) {
      if (slash) depth -= 1;
      else {
        lines.push(`${depth} ${name.toLowerCase()}`);
        if (!end) depth += 1;
      }
    }
    return lines;
  };

  const shapeOfTree = (root: DefaultTreeAdapterTypes.Element) => {
    const lines: string[] = [];
    const visit = (node: DefaultTreeAdapterTypes.Element, depth: number) => {
      lines.push(`${depth} ${node.tagName.toLowerCase()}`);
      for (const child of node.childNodes) if ('tagName' in child) visit(child, depth + 1);
    };
    for (const child of root.childNodes) if ('tagName' in child) visit(child, 0);
    return lines;
  };

  it('has the tree that its tags say in a real parser whenever it is sent', () => {
    const names = [
      ...HTML_ELEMENTS,
      ...SVG_ELEMENTS,
      // Often, because they are those that a parser moves, closes or opens again.
      ...'p p p b b a a i li li dd dt h1 h2 button form table tbody tr td option select svg g title div div ul dl'.split(
        ' ',
      ),
    ].filter((name) => name !== 'noscript');
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('text', '&lt;', ' ', '<!-- -->') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('<br/>', '<img src="/x"/>', '<input/>', '<hr/>', '<col/>', '<wbr/>'),
      },
      fc.constantFrom(
        '<!--',
        '-->',
        '<script>',
        '</script>',
        '</main>',
        '<body>',
        '<base href="/"/>',
        '<plaintext>',
        '"',
        '>',
      ),
      fc.constantFrom(...names).map((name) => `<${name}>`),
      fc.constantFrom(...names).map((name) => `</${name}>`),
    );
    /** Nests elements so that many fragments are balanced. */
    const fragment = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        piece,
        {
          weight: 8,
          arbitrary: fc
            .tuple(fc.constantFrom(...names), fc.array(tie('node'), { maxLength: 3 }))
            .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
        },
        fc.array(tie('node'), { maxLength: 3 }).map((parts) => parts.join('')),
      ),
    })).node;
    let sent = 0;
    fc.assert(
      fc.property(fragment, (html) => {
        if (ruleOf(html)) return;
        if (html.includes('<')) sent += 1;
        for (const scriptingEnabled of [true, false]) {
          const page = parseFragment(`<main><div>${html}</div><p>after</p></main>`, { scriptingEnabled });
          const [main, ...others] = page.childNodes as DefaultTreeAdapterTypes.Element[];
          expect(others).toEqual([]);
          const children = (main?.childNodes ?? []) as DefaultTreeAdapterTypes.Element[];
          expect(children.map(({ nodeName }) => nodeName)).toEqual(['div', 'p']);
          expect(children[1]?.childNodes).toMatchObject([{ nodeName: '#text', value: 'after' }]);
          expect(shapeOfTree(children[0]!)).toEqual(shapeOfTags(html));
        }
      }),
      { numRuns: 8_000 },
    );
    expect(sent).toBeGreaterThan(400);
  });

  it('has no more elements in a real parser than tags, with formatting elements around blocks', () => {
    const html = `<div>${'<b>'.repeat(30)}${'<div>x</div>'.repeat(200)}${'</b>'.repeat(30)}</div>`;
    expect(ruleOf(html)).toBeUndefined();
    const [div] = parseFragment(html).childNodes as DefaultTreeAdapterTypes.Element[];
    expect(shapeOfTree(div!)).toHaveLength(230);
  });

  it('lets other work run while a large one is checked', async () => {
    const html = Array.from({ length: 15_000 }, (_, at) => `<i title="${at}"></i>`).join('');
    let isDone = false;
    const check = assertFragment({ html }, OWNER).then(() => (isDone = true));
    let turns = 0;
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await check;
    expect(turns).toBeGreaterThan(2);
  });
});
