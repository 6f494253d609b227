/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { parseRichText } from '@forecourt/upstream/richText';
import { RichText } from './RichText.tsx';

describe('RichText', () => {
  it('draws headings, paragraphs, lists, emphasis, links, tables and pictures', () => {
    const content = parseRichText(
      '<h1>Why</h1><p>Ours are <b>good</b> &amp; <i>cheap&reg;</i>.</p><ul><li>One</li><li>Two</ul><a href="https://x.example/">More</a> <a href="/about">About</a><table><tr><th scope="row">Since<td>1954</table><img src="/pictures/us.png" alt="Our shop">',
    );
    render(<RichText content={content} />);
    expect(screen.getByRole('heading', { level: 3, name: 'Why' })).toBeVisible();
    expect(screen.getByText('good').tagName).toBe('B');
    expect(screen.getByText('cheap®').tagName).toBe('I');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['One', 'Two']);
    expect(screen.getByRole('link', { name: 'More' })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    expect(screen.getByRole('link', { name: 'More' })).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name: 'About' })).not.toHaveAttribute('target');
    expect(screen.getByRole('rowheader', { name: 'Since' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Our shop' })).toHaveAttribute('loading', 'lazy');
  });
});
