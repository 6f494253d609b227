import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createElement } from 'react';
import { Action, Email, EmailLink, Lines, Note, Paragraph, Quote } from './Email.ts';
import { renderEmail } from './renderEmail.ts';

const LONG = `https://site.example/${'x'.repeat(200)}?a=1&b=2`;
const email = (words: string) =>
  createElement(
    Email,
    {
      ...{ siteName: 'Site', heading: 'Heading', preview: 'Preview' },
      notes: createElement(Note, null, 'Stop: ', createElement(EmailLink, { href: LONG }, 'unsubscribe')),
    },
    createElement(Paragraph, null, 'A <b>paragraph</b> & more'),
    createElement(Quote, null, words),
    createElement(Lines, {
      lines: ['One', 'Two', createElement(EmailLink, { href: LONG }, 'Three')],
    }),
    createElement(Action, { href: LONG, label: 'Open it' }),
  );

describe('renderEmail', () => {
  it('writes text with links on lines of their own, whole and unescaped, and without the heading', () => {
    expect(renderEmail(email('Is it\n  there?\n.\nYes.')).text).toBe(
      `A <b>paragraph</b> & more\n\nIs it\n  there?\n.\nYes.\n\nOne\nTwo\n${LONG}\n\nOpen it:\n${LONG}\n\nStop: ${LONG}`,
    );
  });

  it('writes HTML with the heading, colors for light and dark, and nothing that is loaded', () => {
    const { html } = renderEmail(email('Words'));
    expect(html).toMatch(/^<!doctype html><html dir="ltr" lang="en">/);
    expect(html).toContain('Heading</h1>');
    expect(html).toContain('A &lt;b&gt;paragraph&lt;/b&gt; &amp; more');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).not.toMatch(/<(?:script|img|link|iframe)\b|url\(|@import/);
  });

  it('keeps the words of a person in both forms, whatever they are', () => {
    const line = fc.string().filter((words) => !/[\r\n\0]/.test(words) && words.trim() !== '');
    fc.assert(
      fc.property(line, (words) => {
        const { html, text } = renderEmail(email(words));
        expect(text.split('\n')).toContain(words);
        expect(html.match(/<b>|<script/g)).toBeNull();
      }),
    );
  });
});
