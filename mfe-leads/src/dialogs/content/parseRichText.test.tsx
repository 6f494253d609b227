/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { parseRichText, type RichNode } from './parseRichText.ts';
import { RichText } from './RichText.tsx';

const ALLOWED = ['P', 'UL', 'OL', 'LI', 'STRONG', 'EM', 'H3', 'H4', 'A', 'BR', 'DIV'];

const textOf = (node: RichNode): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

describe('parseRichText', () => {
  it('renders paragraphs, lists, emphasis and links', () => {
    render(
      <RichText html='<h1>Why</h1><p>Ours are <b>good</b> &amp; <i>cheap</i>.</p><ul><li>One</li><li>Two</ul><a href="https://x.example/">More</a> <a href="/about">About</a>' />,
    );
    expect(screen.getByRole('heading', { level: 3, name: 'Why' })).toBeVisible();
    expect(screen.getByText('good').tagName).toBe('STRONG');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['One', 'Two']);
    expect(screen.getByRole('link', { name: 'More' })).toHaveAttribute('rel', 'noopener noreferrer');
    expect(screen.getByRole('link', { name: 'About' })).not.toHaveAttribute('target');
  });

  it('drops scripts with their text, unknown elements without their text, and unsafe links', () => {
    const html =
      '<script>alert(1)</script><style>p{}</style><section onclick="x()">Kept</section><a href="javascript:alert(1)">No</a><a href="//evil.example">Nor</a><img src=x onerror=alert(1)>';
    const { container } = render(<RichText html={html} />);
    expect(container.textContent).toBe('KeptNoNor');
    expect(container.querySelectorAll('[href], [onclick], script, img')).toHaveLength(0);
  });

  it('never throws and returns only allowed elements for any input', () => {
    const fragment = fc.constantFrom(
      '<p>',
      '</p>',
      '<ul>',
      '<li>',
      '<a href="',
      '">',
      "'",
      '<',
      '>',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '&#x',
      '&amp;',
      ';',
      'text',
      '<svg onload=x>',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fragment).map((fragments) => fragments.join('')),
        ),
        (html) => {
          const { container, unmount } = render(<RichText html={html} />);
          for (const element of container.querySelectorAll('*')) {
            expect(ALLOWED).toContain(element.tagName);
            expect(element.getAttribute('href') ?? '/').toMatch(/^(https?:\/\/|\/(?![/\\]))/);
          }
          unmount();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps plain text unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[<&]/.test(text)),
        (text) => {
          expect(parseRichText(text).map(textOf).join('')).toBe(text);
        },
      ),
    );
  });
});
