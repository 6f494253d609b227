import { ROOT } from '@forecourt/library';
import { contextOf, escapeHtml, type Frame, inlineStyle, type Site } from '@forecourt/shell/engine';

const documentStart = (title: string, head: string): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<title>${escapeHtml(title)}</title><link rel="icon" href="data:,">${head}</head><body>`;

const BAR = `<header><a href="${ROOT}/books">City Library</a></header>`;

export const frame: Frame = {
  head: ({ head, origin, style }) =>
    documentStart(
      head.title,
      `<meta name="description" content="${escapeHtml(head.description)}">` +
        `<link rel="canonical" href="${escapeHtml(origin + head.canonical)}">` +
        (head.isIndexed ? '' : '<meta name="robots" content="noindex">') +
        style.html,
    ),
  top: ({ banner }) => `${banner}${BAR}<main>`,
  bottom: () => '</main><div id="fc-announcer" role="status"></div>',
  before: () => '',
  isAssigned: () => false,
};

const message = (title: string) => ({ title, body: `<h1>${title}</h1>` });
const retry = (title: string) => (url: string) => ({
  title,
  body: `<h1>${title}</h1><a href="${escapeHtml(url)}">Try again</a>`,
});

export const messages: Site['messages'] = {
  notFound: message('Page not found'),
  badRequest: message('Invalid request'),
  broken: message('Something went wrong on our end'),
  unavailable: retry('This page isn’t available right now'),
  overloaded: retry('We’re very busy right now'),
  tooManyRequests: retry('That was a lot of pages in a short time'),
  send(response, { title, body }, { css, status, cacheControl = 'no-store' }) {
    const style = inlineStyle(css);
    response
      .set('Content-Security-Policy', contextOf(response.req).policy(style.hash))
      .set('Cache-Control', cacheControl)
      .status(status)
      .type('html')
      .send(`${documentStart(title, style.html)}${BAR}<main>${body}</main></body></html>`);
  },
};
