import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRichText } from './parseRichText.ts';
import { RICH_TEXT_TAGS, type RichTextNode } from './richText.ts';

const textOf = (node: RichTextNode): string =>
  typeof node === 'string' ? node : (node.children ?? []).map(textOf).join('');
const elementsOf = (nodes: readonly RichTextNode[]): Exclude<RichTextNode, string>[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsOf(node.children ?? [])]));

/** Where elements may be that HTML allows in few places. */
const AROUND: Readonly<Record<string, (inner: string) => string>> = {
  li: (inner) => `<ul>${inner}</ul>`,
  thead: (inner) => `<table>${inner}</table>`,
  tbody: (inner) => `<table>${inner}</table>`,
  tr: (inner) => `<table><tbody>${inner}</tbody></table>`,
  th: (inner) => `<table><tbody><tr>${inner}</tr></tbody></table>`,
  td: (inner) => `<table><tbody><tr>${inner}</tr></tbody></table>`,
};
const INNER: Readonly<Record<string, string>> = {
  br: '',
  hr: '',
  img: '',
  ul: '<li>text</li>',
  ol: '<li>text</li>',
  table: '<tr><td>text</td></tr>',
  thead: '<tr><td>text</td></tr>',
  tbody: '<tr><td>text</td></tr>',
  tr: '<td>text</td>',
};

describe('parseRichText', () => {
  it('knows 23 elements', () => {
    expect(new Set(RICH_TEXT_TAGS).size).toBe(23);
  });

  it.each(RICH_TEXT_TAGS)('keeps %s', (tag) => {
    const attributes = tag === 'img' ? ' src="/pictures/a.png"' : '';
    const inner = INNER[tag] ?? 'text';
    const html = (AROUND[tag] ?? ((own: string) => own))(`<${tag}${attributes}>${inner}</${tag}>`);
    const found = elementsOf(parseRichText(html)).find((element) => element.tag === tag);
    expect([tag, found && textOf(found)]).toEqual([tag, inner === '' ? '' : 'text']);
  });

  it.each([
    ['&reg; &amp; &nbsp;&copy;', '® &  ©'],
    ['&frac12; &euro;5 &#8217; &#x2014; &trade;', '½ €5 ’ — ™'],
    // Older pages leave the semicolon out.
    ['Ford&reg 2 &lt; 3', 'Ford® 2 < 3'],
    ['AT&T &unknown; &amp;reg;', 'AT&T &unknown; &reg;'],
    ['&#0; &#xd800;', '� �'],
  ])('decodes the references of %s', (html, text) => {
    expect(parseRichText(html)).toEqual([text]);
  });

  it.each([
    ['https://x.example/a?b=1', 'https://x.example/a?b=1'],
    ['https://x.example', 'https://x.example'],
    ['HTTPS://x.example', 'https://x.example/'],
    ['mailto:us@dealer.example', 'mailto:us@dealer.example'],
    ['tel:+15550100', 'tel:+15550100'],
    ['/about?us#here', '/about?us#here'],
  ])('links %s', (href, kept) => {
    expect(parseRichText(`<a href="${href}" onclick="x()">Link</a>`)).toEqual([
      { tag: 'a', attributes: { href: kept }, children: ['Link'] },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    ' java&#9;script:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http://x.example/',
    '//evil.example',
    '/\\evil.example',
    '/&#9;/evil.example',
    'https:evil',
    'blob:https://x.example/1',
    'about',
    '',
  ])('keeps the text of a link to %j without the link', (href) => {
    expect(parseRichText(`<a href="${href}">Link</a>`)).toEqual([{ tag: 'a', children: ['Link'] }]);
  });

  it.each([
    [
      'src="/pictures/logos/a.svg" alt="Us" width="80" height=40',
      { src: '/pictures/logos/a.svg', alt: 'Us', width: '80', height: '40' },
    ],
    ['src="/a.webp?w=640" width="100%" onerror=x() style="position:fixed"', { src: '/a.webp?w=640' }],
  ])('keeps the picture %s', (given, attributes) => {
    expect(parseRichText(`<img ${given}>`)).toEqual([{ tag: 'img', attributes }]);
  });

  it.each([
    'https://x.example/a.png',
    '//x.example/a.png',
    '/\\x.example/a.png',
    'data:image/png;base64,AA',
    '/sign-out',
    'x',
  ])('drops a picture at %s', (src) => {
    expect(parseRichText(`<p>a<img src="${src}" onerror="x()">b</p>`)).toEqual([
      { tag: 'p', children: ['a', 'b'] },
    ]);
  });

  it.each([
    [
      'unknown elements, with their text',
      '<section><article onclick=x>Kept</article> <font>too</font></section>',
      'Kept too',
    ],
    [
      'forms',
      '<form action="/x"><label>Kept</label><input value=no><button>Send</button></form>',
      'KeptSend',
    ],
    ['scripts', 'a<script>alert(1)</script>b', 'ab'],
    ['a script that is not closed', 'a<script>alert(1)', 'a'],
    ['styles', 'a<style>p { color: red }</style>b', 'ab'],
    ['frames', 'a<iframe srcdoc="<script>x</script>">no</iframe>b', 'ab'],
    ['drawings', 'a<svg onload=x()><text>no</text><script>x</script></svg>b', 'ab'],
    ['formulas', 'a<math><mi>no</mi><mtext><img src=x onerror=y></mtext></math>b', 'ab'],
    ['templates', 'a<template><p>no</p></template>b', 'ab'],
    ['comments', 'a<!-- no --><!doctype html><?php no ?>b', 'ab'],
    ['fields', 'a<textarea><b>no</b></textarea><select><option>no</select>b', 'ab'],
    ['text that ends a comment in another parser', 'a<!--><img src=x onerror=y>-->b', 'a-->b'],
  ])('drops %s', (_, html, text) => {
    const nodes = parseRichText(html);
    expect(nodes.map(textOf).join('')).toBe(text);
    expect(elementsOf(nodes)).toEqual([]);
  });

  it('nests as browsers do', () => {
    expect(parseRichText('<p>One<p>Two <b>bold <i>both</b> italic</i><ul> <li>a<li>b </ul>')).toEqual([
      { tag: 'p', children: ['One'] },
      {
        tag: 'p',
        children: [
          'Two ',
          { tag: 'b', children: ['bold ', { tag: 'i', children: ['both'] }] },
          { tag: 'i', children: [' italic'] },
        ],
      },
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: ['a'] },
          { tag: 'li', children: ['b '] },
        ],
      },
    ]);
    expect(parseRichText('<h1>Us</h1><h6>More</h6>').map((node) => (node as { tag: string }).tag)).toEqual([
      'h3',
      'h4',
    ]);
    const rows = parseRichText('<table><tr><th scope=row>a<td>1</table>');
    expect(elementsOf(rows).map(({ tag, attributes }) => [tag, attributes])).toEqual([
      ['table', undefined],
      ['tbody', undefined],
      ['tr', undefined],
      ['th', { scope: 'row' }],
      ['td', undefined],
    ]);
  });

  it('flattens what is nested too deeply, and keeps its text', () => {
    const nodes = parseRichText(`${'<div>'.repeat(1_000)}deep`);
    expect(elementsOf(nodes)).toHaveLength(20);
    expect(nodes.map(textOf).join('')).toBe('deep');
  });

  it.each([
    ['many elements', '<p>'.repeat(5_001)],
    [
      'formatting elements that are opened again in each block',
      Array.from({ length: 150 }, (_, at) => `<b id=${at}>`).join('') + '<div>'.repeat(20_000),
    ],
    ['a long text', 'x'.repeat(200_001)],
  ])('refuses %s before it has cost much', (_, html) => {
    const start = performance.now();
    expect(() => parseRichText(html)).toThrow(RangeError);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  const piece = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<ul>',
      '<li>',
      '<table>',
      '<td>',
      '<a href="',
      '<a href=javascript:x>',
      '">',
      "'",
      '<',
      '>',
    ],
    ...[
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '&#x',
      '&amp;',
      ';',
      'text',
      '<svg onload=x>',
      '<style>',
      '<template>',
    ],
    ...[
      '<img src="/a.png" onerror=x>',
      '<math><mi>',
      '<b>',
      '</b>',
      '<iframe>',
      '<noscript>',
      '<h1>',
      '<!doctype>',
    ],
  );
  it('returns only the elements and attributes of rich text for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (html) => {
          for (const { tag, attributes = {} } of elementsOf(parseRichText(html))) {
            expect(RICH_TEXT_TAGS).toContain(tag);
            expect(['href', 'src', 'alt', 'width', 'height', 'scope']).toEqual(
              expect.arrayContaining(Object.keys(attributes)),
            );
            expect(attributes.href ?? '/').toMatch(/^(?:https:\/\/|mailto:|tel:|\/(?![/\\]))/);
            expect(attributes.src ?? '/').toMatch(/^\/(?![/\\])/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps plain text unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[<&\0\r]/.test(text)),
        (text) => {
          expect(parseRichText(text).map(textOf).join('')).toBe(text);
        },
      ),
    );
  });
});
