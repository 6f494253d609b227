import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { SessionState } from '@forecourt/shared-contracts/store';
import { siteBar } from './frame.ts';
import { cssForStyle, escapeHtml } from './html.ts';

export interface MessagePage {
  readonly title: string;
  /** HTML of the message. */
  readonly body: string;
  /** May search engines list it? Default no. */
  readonly isIndexed?: boolean;
  /** Path and query to come back to after signing in; the results when it is not worth it. */
  readonly current?: string;
}

/** A page of the shell alone: no slots, no scripts. */
export function messagePage(
  page: MessagePage,
  session: Pick<SessionState, 'brand' | 'signedIn' | 'account' | 'signInPath'>,
  css: string,
  nonce: string,
): string {
  const brand = BRANDS[session.brand];
  return (
    `<!doctype html><html lang="en" data-brand="${session.brand}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    (page.isIndexed ? '' : '<meta name="robots" content="noindex">') +
    `<title>${escapeHtml(`${page.title} | ${brand.name}`)}</title>` +
    `<link rel="icon" href="data:,"><style nonce="${nonce}">${cssForStyle(css)}</style></head><body>` +
    siteBar(session, page.current ?? '/cars-for-sale/all-cars') +
    `<main class="fc-main">${page.body}</main></body></html>`
  );
}

/** 'Please try again' loads the same URL again: a form, so that it is a button without JavaScript too (B2-ERROR-01, B2-ERROR-02). */
export function searchErrorPage(requestUrl: string): MessagePage {
  const mark = requestUrl.indexOf('?');
  const path = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const fields = [...new URLSearchParams(mark === -1 ? '' : requestUrl.slice(mark))]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return {
    title: 'Search error',
    body:
      '<div class="fc-message" role="alert"><h1>We are sorry. There was an issue with your last search.</h1>' +
      `<form action="${escapeHtml(path)}" method="get">${fields}<button class="fc-action">Please try again</button></form></div>`,
  };
}

const leadingOn = (title: string, heading: string, text: string): MessagePage => ({
  title,
  body:
    `<div class="fc-message"><h1>${heading}</h1><p>${text}</p>` +
    '<a class="fc-action" href="/cars-for-sale/all-cars">See all cars for sale</a></div>',
});

export const notFoundPage = leadingOn(
  'Not found',
  'We could not find that page.',
  'The make, model or address may be misspelled.',
);

/** The request is wrong: of an address that cannot be read, or of a form where none is taken. */
export const badRequestPage = leadingOn(
  'Not understood',
  'We could not understand that request.',
  'The address may be cut off or misspelled.',
);

export const brokenPage = leadingOn(
  'Something went wrong',
  'We are sorry. Something went wrong.',
  'It is not your doing, and we know of it. Please try again in a moment.',
);
