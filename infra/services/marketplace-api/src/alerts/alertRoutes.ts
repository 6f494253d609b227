import { CALLS } from '@forecourt/shared-contracts/calls';
import { SIGNED_OUT_SAVED_SEARCHES } from '@forecourt/shared-contracts/rules';
import { createSlugReference } from '@forecourt/shared-contracts/criteria';
import { Router, type Response } from 'express';
import { captureMail, isOwnAddress, type MailContext } from '../messages/contactRoutes.ts';
import { ApiError } from '../http/middleware.ts';
import { formBody, readBody, noStore } from '../http/requests.ts';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import { slugData } from '../reference/models.ts';
import type { ListingSearch } from '../search/listingSearch.ts';
import type { PlaceFinder } from '../places/places.ts';
import { readSearchRequest } from '../search/request.ts';
import { confirmAlertMail, normalizeSearch, welcomeMail } from './alertMails.ts';
import type { NewListings } from '../store/listingStore.ts';
import escapeHtml from 'escape-html';

export interface AlertRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly search: ListingSearch;
  readonly places: PlaceFinder;
  readonly newListings: NewListings;
  readonly mailContext: MailContext;
}

/** Email alerts (A7-OTHER-06, AMB-183) and the links of emails. */
export function alertRoutes(deps: AlertRouteDeps): Router {
  const { people, callers, index, catalog, search, places, newListings, mailContext } = deps;
  const { alerts } = people;
  const router = Router();

  /** 'Used Ford F150 near Chicago, IL'. */
  function titleOf(query: string): string {
    const request = readSearchRequest(new URLSearchParams(`${query}&hideFilters=true&numRecords=1`), places);
    return search.search(request).pageData.saveSearchData?.saveSearchString ?? 'Vehicles for sale';
  }

  router.post('/account-api/email-alerts', noStore, formBody, async (request, response) => {
    const { emailAddress, brand, search: query } = readBody(CALLS.subscribeAlert.body, request);
    const normalized = normalizeSearch(query, () => createSlugReference(slugData(index.vehicles(), catalog)));
    if (!normalized)
      throw new ApiError(400, 'INVALID_SEARCH', 'search must be the path or query of a results page');
    const caller = await callers.visitor(request);
    const isVerified = isOwnAddress(emailAddress, caller);
    const subscribed = alerts.subscribe(
      {
        caller,
        isVerified,
        emailAddress,
        brand,
        search: normalized.search,
        title: titleOf(normalized.search),
        seenRow: newListings.newestRow(),
      },
      (alert) => {
        if (isVerified) people.mails.unsuppress(emailAddress);
        const [kind, mail] = isVerified
          ? (['alert-welcome', welcomeMail(alert, mailContext)] as const)
          : (['alert-confirm', confirmAlertMail(alert, mailContext)] as const);
        people.mails.add(kind, mail, `${kind}:${alert.alertId}`);
      },
    );
    if (subscribed === 'LIMIT')
      throw new ApiError(409, 'LIMIT', `You have a maximum of ${SIGNED_OUT_SAVED_SEARCHES} searches saved.`);
    const { alert, isNew } = subscribed;
    response.status(201).json({ subscribed: true, alertId: alert.alertId, isNew });
  });
  router.get('/account-api/email-alerts', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    const accountAlerts = alerts.ofAccount(account);
    response.json({ alerts: accountAlerts.map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert) });
  });
  router.delete('/account-api/email-alerts/:alertId', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    alerts.end(account, request.params.alertId);
    response.status(204).end();
  });

  router.use(linkRoutes(deps));
  return router;
}

type Subscription =
  | {
      readonly kind: 'alert' | 'capture';
      /** What its emails are about. */
      readonly what: string;
      readonly to: string;
      readonly isConfirmed: boolean;
    }
  | { readonly kind: 'mailbox'; readonly what: string };

/** Pages behind the links of emails. A button acts, because mail scanners open every link; it works without scripts. */
function linkRoutes({ people, mailContext }: AlertRouteDeps): Router {
  const { alerts, captures, mails } = people;
  const router = Router();
  function find(token: string): Subscription | undefined {
    const alert = alerts.byToken(token);
    if (alert)
      return { ...alert, kind: 'alert', what: `New matches: ${alert.title}`, to: alert.emailAddress };
    const capture = captures.byToken(token);
    if (capture)
      return { ...capture, kind: 'capture', what: `News from ${mailContext.siteName}`, to: capture.email };
    return mails.hasToken(token)
      ? { kind: 'mailbox', what: `All emails that others cause on ${mailContext.siteName}` }
      : undefined;
  }
  const send = (response: Response, page: LinkPage, what: string | undefined) =>
    void response
      .status(what === undefined ? 404 : 200)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(linkPage(what === undefined ? 'unknown' : page, what ?? '', mailContext.siteUrl));

  const UNSUBSCRIBE = '/cars-for-sale/svc/unsubscribe/:token';
  router.get(UNSUBSCRIBE, noStore, (request, response) =>
    send(response, 'unsubscribe', find(request.params.token)?.what),
  );
  // Posted by the page's form, by a mail program's one-click unsubscribe (RFC 8058), or by a call that wants JSON.
  router.post(UNSUBSCRIBE, noStore, (request, response) => {
    const { token } = request.params;
    const subscription = find(token);
    alerts.endByToken(token);
    captures.endByToken(token);
    mails.declineByToken(token);
    // Somebody who never subscribed wants no further requests.
    if (subscription && subscription.kind !== 'mailbox' && !subscription.isConfirmed)
      mails.suppress(subscription.to, 'declined');
    if (request.accepts(['json', 'html']) !== 'json') send(response, 'ended', subscription?.what);
    else if (subscription === undefined) response.json({ unsubscribed: false });
    else response.json({ unsubscribed: true, search: subscription.what });
  });

  const CONFIRM = '/cars-for-sale/svc/confirm/:token';
  router.get(CONFIRM, noStore, (request, response) => {
    const subscription = find(request.params.token);
    send(response, 'confirm', subscription?.kind === 'mailbox' ? undefined : subscription?.what);
  });
  router.post(CONFIRM, noStore, (request, response) => {
    const { token } = request.params;
    const isKnown =
      alerts.confirmByToken(token, (alert) => {
        mails.add('alert-welcome', welcomeMail(alert, mailContext), `alert-welcome:${alert.alertId}`);
      }) ??
      captures.confirmByToken(token, (capture) => {
        mails.add('capture-welcome', captureMail(capture, mailContext));
      });
    send(response, 'confirmed', isKnown && find(token)?.what);
  });
  return router;
}

/** No scripts, inline styles only. */
const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

type LinkPage = 'confirm' | 'confirmed' | 'unsubscribe' | 'ended' | 'unknown';

const LINK_PAGES: Readonly<Record<LinkPage, { readonly title: string; readonly button?: string }>> = {
  confirm: { title: 'Do you want these emails?', button: 'Yes, email me' },
  confirmed: { title: 'You’re subscribed' },
  unsubscribe: { title: 'Unsubscribe from these emails?', button: 'Unsubscribe' },
  ended: { title: 'You’re unsubscribed' },
  unknown: { title: 'We don’t recognize this link' },
};

function linkPage(page: LinkPage, what: string, siteUrl: string): string {
  const { title, button } = LINK_PAGES[page];
  const text = page === 'unknown' ? 'The subscription may have ended a while ago.' : what;
  const form = button ? `<form method="post"><button type="submit">${button}</button></form>` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:36rem;margin:3rem auto;padding-inline:1rem}
button{font:inherit;min-block-size:44px;padding-inline:1.25rem}</style></head>
<body><main><h1>${title}</h1><p>${escapeHtml(text)}</p>${form}<p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">Browse vehicles</a></p></main></body></html>`;
}
