import { compile } from 'html-to-text';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Both forms of one email: mail programs show the one that they can. */
export interface RenderedEmail {
  readonly html: string;
  readonly text: string;
}

/** An element of the HTML, as html-to-text passes it to formatters. */
interface Link {
  readonly attribs?: Readonly<Record<string, string | undefined>>;
}

const PARAGRAPH = { leadingLineBreaks: 2, trailingLineBreaks: 2 };

/** Links as their addresses, which a program for text can open; nothing is wrapped, because addresses may be long. */
const toText = compile({
  wordwrap: false,
  formatters: {
    action(link: Link, _walk, builder) {
      builder.addInline(`${link.attribs?.['data-label'] ?? ''}:`);
      builder.addLineBreak();
      builder.addInline(link.attribs?.['href'] ?? '', { noWordTransform: true });
    },
    address: (link: Link, _walk, builder) =>
      builder.addInline(link.attribs?.['href'] ?? '', { noWordTransform: true }),
  },
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    { selector: 'head', format: 'skip' },
    { selector: 'table', format: 'block' },
    { selector: 'a', format: 'address' },
    { selector: 'a.action', format: 'action' },
    { selector: 'p', options: PARAGRAPH },
    { selector: 'pre', options: PARAGRAPH },
  ],
});

/** Renders an email, a component of `Email`, as HTML and as text. */
export function renderEmail(email: ReactNode): RenderedEmail {
  const markup = renderToStaticMarkup(email);
  return { html: `<!doctype html>${markup}`, text: toText(markup).trim() };
}
