import { emailAlertFormSchema } from '@forecourt/shared-contracts/entities';
import { SIGNED_OUT_SAVED_SEARCHES } from '@forecourt/shared-contracts/rules';
import { createSlugReference } from '@forecourt/shared-contracts/criteria';
import { Router } from 'express';
import type { MailContext } from '../contact/contactMails.ts';
import { ApiError } from '../http/apiError.ts';
import { formBody, readBody } from '../http/body.ts';
import { noStore } from '../http/caching.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import { slugData } from '../reference/slugs.ts';
import type { ListingSearch } from '../search/listingSearch.ts';
import type { PlaceFinder } from '../search/places.ts';
import { readSearchRequest } from '../search/request.ts';
import { welcomeMail } from './alertMails.ts';
import { normaliseSearch } from './alertSearch.ts';
import type { NewListings } from './newListings.ts';
import { PAGE_CSP, unsubscribePage } from './unsubscribePage.ts';

export interface AlertRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly index: ListingIndex;
  readonly search: ListingSearch;
  readonly places: PlaceFinder;
  readonly newListings: NewListings;
  readonly mailContext: MailContext;
}

/** Email alerts (A7-OTHER-06, AMB-183) and the links that end mails. */
export function alertRoutes(deps: AlertRouteDeps): Router {
  const { people, callers, index, search, places, newListings, mailContext } = deps;
  const { alerts, captures } = people;
  const router = Router();

  /** 'Used Ford F150 near Chicago, IL'. */
  function titleOf(query: string): string {
    const request = readSearchRequest(new URLSearchParams(`${query}&hideFilters=true&numRecords=1`), places);
    return search.search(request).pageData.saveSearchData?.saveSearchString ?? 'Vehicles for sale';
  }

  router.post('/account-api/email-alerts', noStore, formBody, async (request, response) => {
    const { emailAddress, brand, search: given } = readBody(emailAlertFormSchema, request);
    const normalised = normaliseSearch(given, () => createSlugReference(slugData(index.vehicles())));
    if (!normalised) throw new ApiError(400, 'INVALID_SEARCH', 'This address is no search');
    const caller = await callers.visitor(request);
    const subscribed = alerts.subscribe(
      {
        caller,
        emailAddress,
        brand,
        search: normalised.search,
        title: titleOf(normalised.search),
        seenRow: newListings.newestRow(),
      },
      (alert) =>
        people.mails.add('alert-welcome', welcomeMail(alert, mailContext), `welcome:${alert.alertId}`),
    );
    if (subscribed === 'LIMIT')
      throw new ApiError(409, 'LIMIT', `You have a maximum of ${SIGNED_OUT_SAVED_SEARCHES} searches saved.`);
    const { alert, isNew } = subscribed;
    response.status(201).json({ subscribed: true, alertId: alert.alertId, isNew });
  });
  router.get('/account-api/email-alerts', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    const own = alerts.ofAccount(account);
    response.json({ alerts: own.map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert) });
  });
  router.delete('/account-api/email-alerts/:alertId', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    alerts.end(account, request.params.alertId);
    response.status(204).end();
  });

  const PATH = '/cars-for-sale/svc/unsubscribe/:token';
  const about = (token: string): string | undefined => {
    const alert = alerts.byToken(token);
    if (alert) return `New matches: ${alert.title}`;
    return captures.byToken(token) && `News of ${mailContext.siteName}`;
  };
  router.get(PATH, noStore, (request, response) => {
    const what = about(request.params.token);
    const page = unsubscribePage(what === undefined ? 'unknown' : 'ask', what ?? '', mailContext.siteUrl);
    response
      .status(what === undefined ? 404 : 200)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(page);
  });
  // A form of this page, a mail program's one click (RFC 8058), or a call that wants JSON.
  router.post(PATH, noStore, (request, response) => {
    const { token } = request.params;
    const what = about(token);
    alerts.endByToken(token);
    captures.endByToken(token);
    if (request.accepts(['json', 'html']) === 'json') {
      response.json({ unsubscribed: what !== undefined, ...(what !== undefined && { search: what }) });
      return;
    }
    const page = unsubscribePage(what === undefined ? 'unknown' : 'ended', what ?? '', mailContext.siteUrl);
    response
      .status(what === undefined ? 404 : 200)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(page);
  });
  return router;
}
