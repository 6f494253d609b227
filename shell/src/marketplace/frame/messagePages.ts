import type { Response } from 'express';
import { BRANDS } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';
import type { MessageOptions, MessagePage, Messages } from '../../engine/http/messagePage.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import { siteBar, siteFooter } from './frame.ts';
import { escapeHtml, type InlineElement, inlineStyle } from '../../engine/compose/html.ts';

/** A page of the shell alone: no slots, no scripts, not indexed. */
export function messagePage(
  page: MessagePage,
  session: Pick<SessionState, 'brand' | 'signedIn' | 'account' | 'signInPath'>,
  style: InlineElement,
): string {
  const brand = BRANDS[session.brand];
  return (
    `<!doctype html><html lang="en" data-brand="${session.brand}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="robots" content="noindex">' +
    `<title>${escapeHtml(`${page.title} | ${brand.name}`)}</title>` +
    `<link rel="icon" href="/favicon.ico">${style.html}</head><body>` +
    siteBar(session, '/cars-for-sale/all-cars') +
    `<main class="fc-main">${page.body}</main>${siteFooter(brand.name)}</body></html>`
  );
}

/** Sends a page of the shell alone; `cacheControl` defaults to `no-store`. */
export function sendMessagePage(
  response: Response,
  page: MessagePage,
  { css, status, cacheControl = 'no-store' }: MessageOptions,
): void {
  const { visitor, policy } = contextOf(response.req);
  const style = inlineStyle(css);
  response
    .set('Content-Security-Policy', policy(style.hash))
    .status(status)
    .set('Cache-Control', cacheControl)
    .type('html')
    .send(messagePage(page, visitor.session, style));
}

/** Loads the same URL again: a form, so that it is a button without JavaScript too. */
function retryForm(requestUrl: string): string {
  const mark = requestUrl.indexOf('?');
  const path = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const fields = [...new URLSearchParams(mark === -1 ? '' : requestUrl.slice(mark))]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return `<form action="${escapeHtml(path)}" method="get">${fields}<button type="submit" class="fc-action">Please try again</button></form>`;
}

/** A page that says why there is no other one, with a form that loads the same URL again. */
const offeringRetry =
  (title: string, heading: string, text?: string) =>
  (requestUrl: string): MessagePage => ({
    title,
    body:
      `<div class="fc-message" role="alert"><h1>${heading}</h1>` +
      `${text === undefined ? '' : `<p>${text}</p>`}${retryForm(requestUrl)}</div>`,
  });

export const searchErrorPage = offeringRetry(
  'Search error',
  'We are sorry. There was an issue with your last search.',
);

/** For a page other than the results. */
const pageErrorPage = offeringRetry('Not available', 'We are sorry. This page isn’t available right now.');

const overloadedPage = offeringRetry(
  'Very busy',
  'We’re very busy right now.',
  'Wait a few seconds, then try again.',
);

/** A network has used up its budget; the `Retry-After` header has the seconds. */
const tooManyRequestsPage = offeringRetry(
  'Too many requests',
  'That was a lot of pages in a short time.',
  'Please wait a minute, then try again. If you share a network, others may have used it up.',
);

const section = (id: string, heading: string, ...paragraphs: readonly string[]): string =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</section>`;

/** Links to help, contact, privacy and terms. */
export const helpPage: MessagePage = {
  title: 'Help',
  body:
    '<div class="fc-account-page"><h1>Help</h1>' +
    section(
      'contact',
      'Contact',
      'Questions about a vehicle go to its seller: select “Email Seller”, “Call Seller” or “Make Offer” on the vehicle. Sellers reply to you directly.',
      'If a listing is wrong or looks like fraud, select “Report” on it. We review every report within two days.',
    ) +
    section(
      'saved',
      'Saved vehicles, searches and emails',
      'Select the heart on a vehicle to save it, or “Save Search” to save a search. Without an account, this browser keeps up to three vehicles. You’ll find both under <a href="/account/saved-vehicles">saved vehicles</a> and <a href="/account/saved-searches">saved searches</a>, where you can also turn off emails. Every email has an unsubscribe link.',
    ) +
    section(
      'privacy',
      'Privacy',
      'We set cookies for your session, your sign-in, your ZIP code, the campaign that brought you here, what you dismissed, and an identifier for this browser that personalizes suggestions. We set no third-party cookies, and our pages load nothing from other sites.',
      'Vehicles that you viewed or compared are stored only in your browser. A seller gets your name, email address and phone number only when you send them a message.',
      'In <a href="/account">your account</a>, you can review and delete what you saved, and turn off emails.',
    ) +
    section(
      'terms',
      'Terms',
      'Vehicles are offered and sold by dealers and private sellers, not by this site. Prices and descriptions are theirs; monthly payments are estimates, not offers of credit.',
      'Sponsored listings and advertisements are labeled as such.',
    ) +
    '</div>',
};

const linkingToResults = (title: string, heading: string, text: string): MessagePage => ({
  title,
  body:
    `<div class="fc-message"><h1>${heading}</h1><p>${text}</p>` +
    '<a class="fc-action" href="/cars-for-sale/all-cars">See all cars for sale</a></div>',
});

export const notFoundPage = linkingToResults(
  'Not found',
  'We couldn’t find that page.',
  'The make, model or address may be misspelled.',
);

/** For a malformed URL or an unexpected form. */
const badRequestPage = linkingToResults(
  'Not understood',
  'We couldn’t understand that request.',
  'The address may be cut off or misspelled.',
);

const brokenPage = linkingToResults(
  'Something went wrong',
  'Something went wrong on our end.',
  'Please try again in a moment.',
);

/** The marketplace's pages for requests that get no page of slots. */
export const messages: Messages = {
  notFound: notFoundPage,
  badRequest: badRequestPage,
  broken: brokenPage,
  unavailable: pageErrorPage,
  overloaded: overloadedPage,
  tooManyRequests: tooManyRequestsPage,
  send: sendMessagePage,
};
