import { createSlugReference } from '@forecourt/search/criteria';
import { CALLS } from '@forecourt/upstream/calls';
import { Router, type Response } from 'express';
import { captureMail, isOwnAddress, type MailContext } from '../messages/contactRoutes.ts';
import { ApiError } from '../../http/middleware.ts';
import { formBody, readBody, noStore } from '../../http/requests.ts';
import type { Catalog } from '../../domain/catalog.ts';
import { type ListingIndex, slugData, type ListingSearch, readSearchRequest } from '../../search/index.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import { SIGNED_OUT_SAVED_SEARCHES } from '../../domain/savedSearches.ts';
import { publicAlert } from '../people/subscriptionStore.ts';
import type { PlaceFinder } from '../../domain/places/index.ts';
import { confirmAlertMail, normalizeSearch, welcomeMail } from './alertMails.ts';
import type { NewListings } from '../../inventory/index.ts';

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

/** Email alerts and the links of emails. */
export function alertRoutes(deps: AlertRouteDeps): Router {
  const { people, callers, index, catalog, search, places, newListings, mailContext } = deps;
  const { alerts } = people;
  const router = Router();

  /** 'Used Ford F150 in Chicago, IL'. */
  async function titleOf(query: string): Promise<string> {
    const request = readSearchRequest(new URLSearchParams(`${query}&hideFilters=true&numRecords=1`), places);
    const { pageData } = await search.search(request);
    return pageData.saveSearchData?.saveSearchString ?? 'Vehicles for sale';
  }

  router.post('/account-api/email-alerts', noStore, formBody, async (request, response) => {
    const { emailAddress, brand, search: query, frequency } = readBody(CALLS.subscribeAlert.body, request);
    const normalized = normalizeSearch(query, () =>
      createSlugReference(slugData(index.vehicleNodes, catalog)),
    );
    if (!normalized)
      throw new ApiError(400, 'INVALID_SEARCH', 'search must be the path or query of a results page');
    const caller = await callers.visitor(request);
    const isVerified = isOwnAddress(emailAddress, caller);
    const subscribed = await alerts.subscribe(
      {
        caller,
        isVerified,
        emailAddress,
        brand,
        frequency,
        search: normalized.search,
        title: await titleOf(normalized.search),
        seenRow: await newListings.newestRow(),
        inventory: newListings.inventory,
      },
      async (alert) => {
        if (isVerified) await people.mails.unsuppress(emailAddress);
        const [kind, mail] = isVerified
          ? (['alert-welcome', welcomeMail(alert, mailContext)] as const)
          : (['alert-confirm', confirmAlertMail(alert, mailContext)] as const);
        await people.mails.add(kind, mail, `${kind}:${alert.alertId}`, caller.account);
      },
    );
    if (subscribed === 'LIMIT')
      throw new ApiError(409, 'LIMIT', `You have a maximum of ${SIGNED_OUT_SAVED_SEARCHES} searches saved.`);
    const { alert, isNew } = subscribed;
    response.status(201).json({ subscribed: true, alertId: alert.alertId, isNew });
  });
  router.get('/account-api/email-alerts', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    const accountAlerts = await alerts.ofAccount(account);
    response.json({ alerts: accountAlerts.map(publicAlert) });
  });
  router.delete('/account-api/email-alerts/:alertId', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    await alerts.end(account, request.params.alertId);
    response.status(204).end();
  });

  router.use(linkRoutes(deps));
  return router;
}

interface Subscription {
  readonly kind: 'alert' | 'capture' | 'mailbox';
  /** What its emails are about. */
  readonly what: string;
  /** None for a mailbox that refuses requests. */
  readonly to?: string;
  readonly isConfirmed?: boolean;
  readonly isEnded?: boolean;
}

/** What a link of an email shows; the shell has the pages. */
type LinkPage = 'confirm' | 'confirmed' | 'unsubscribe' | 'ended' | 'unknown';

/** The tokens in the links of emails. Reading changes nothing, because mail scanners open every link. */
function linkRoutes({ people, mailContext }: AlertRouteDeps): Router {
  const { alerts, captures, mails } = people;
  const router = Router();
  async function find(token: string): Promise<Subscription | undefined> {
    const alert = await alerts.byToken(token);
    if (alert)
      return { ...alert, kind: 'alert', what: `New matches: ${alert.title}`, to: alert.emailAddress };
    const capture = await captures.byToken(token);
    if (capture)
      return { ...capture, kind: 'capture', what: `News from ${mailContext.siteName}`, to: capture.email };
    return (await mails.hasToken(token))
      ? { kind: 'mailbox', what: `All emails that others cause on ${mailContext.siteName}` }
      : undefined;
  }
  const send = (response: Response, page: LinkPage, subscription: Subscription | undefined) =>
    subscription
      ? response.json({ page, search: subscription.what })
      : response.status(404).json({ page: 'unknown' });

  const UNSUBSCRIBE = '/cars-for-sale/svc/unsubscribe/:token';
  router.get(UNSUBSCRIBE, noStore, async (request, response) => {
    const subscription = await find(request.params.token);
    send(response, subscription?.isEnded ? 'ended' : 'unsubscribe', subscription);
  });
  router.post(UNSUBSCRIBE, noStore, async (request, response) => {
    const { token } = request.params;
    const subscription = await find(token);
    await alerts.endByToken(token);
    await captures.endByToken(token);
    await mails.declineByToken(token);
    // Somebody who never subscribed wants no further requests.
    if (subscription?.to && !subscription.isConfirmed) await mails.suppress(subscription.to, 'declined');
    response.json(
      subscription
        ? { unsubscribed: true, page: 'ended', search: subscription.what }
        : { unsubscribed: false, page: 'unknown' },
    );
  });

  const CONFIRM = '/cars-for-sale/svc/confirm/:token';
  router.get(CONFIRM, noStore, async (request, response) => {
    const found = await find(request.params.token);
    const subscription = found?.kind === 'mailbox' ? undefined : found;
    const page = subscription?.isEnded ? 'ended' : subscription?.isConfirmed ? 'confirmed' : 'confirm';
    send(response, page, subscription);
  });
  router.post(CONFIRM, noStore, async (request, response) => {
    const { token } = request.params;
    const isKnown =
      (await alerts.confirmByToken(token, async (alert) => {
        await mails.add('alert-welcome', welcomeMail(alert, mailContext), `alert-welcome:${alert.alertId}`);
      })) ??
      (await captures.confirmByToken(token, async (capture) => {
        await mails.add('capture-welcome', captureMail(capture, mailContext));
      }));
    send(response, 'confirmed', isKnown && (await find(token)));
  });
  return router;
}
