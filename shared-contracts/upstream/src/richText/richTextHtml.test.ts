import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRichText } from './parseRichText.ts';
import { richTextHtml, sanitizeHtml } from './richTextHtml.ts';

describe('sanitizeHtml', () => {
  it.each([
    ['<p>2 &lt; 3 &amp; "more"</p>', '<p>2 &lt; 3 &amp; &quot;more&quot;</p>'],
    [
      '<a href="https://x.example">x</a>',
      '<a href="https://x.example" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<a href="/a?b=1&amp;c">x</a>', '<a href="/a?b=1&amp;c">x</a>'],
    [
      "<img src=/a.png alt='\"><script>x</script>'>",
      '<img src="/a.png" alt="&quot;&gt;&lt;script&gt;x&lt;/script&gt;" loading="lazy">',
    ],
    ['a<br>b<hr>', 'a<br>b<hr>'],
    ['<script>alert(1)</script><em>x', '<em>x</em>'],
  ])('writes %s as %s', (html, sanitized) => {
    expect(sanitizeHtml(html)).toBe(sanitized);
  });

  it('writes what it reads as the same tree', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<ul>',
        '<li>',
        '<b>',
        '<i>',
        '</b>',
        '<h3>',
        '<table>',
        '<tr>',
        '<td>',
        '<a href="/x">',
      ],
      ...['text', '&lt;script&gt;', '&amp;amp;', '<br>', '<div>', '</div>', '<span>'],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 15 }).map((pieces) => parseRichText(pieces.join(''))),
        (richText) => {
          const once = richTextHtml(richText);
          // A second reading may nest elements in another way, but never changes again.
          const twice = sanitizeHtml(once);
          expect(sanitizeHtml(twice)).toBe(twice);
        },
      ),
    );
  });
});
