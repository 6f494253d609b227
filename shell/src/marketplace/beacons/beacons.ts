import { CALLS } from '@forecourt/upstream/calls';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { z } from 'zod';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import type { PageReport, SitePageEvents } from '../../engine/http/sitePageEvents.ts';
import { contextOf, type RequestContext } from '../../engine/http/requestContext.ts';
import { sendError } from '../../engine/http/responses.ts';
import { visitorOf } from '../visitor/visitor.ts';

/** Usage events, which the upstream counts. */
const USAGE = new Set(['impression', 'click', 'view']);

/** Views of one listing that count per network and hour: visitors without cookies could be one visitor. */
const MAX_VIEWS = 10;
const VIEW_WINDOW_MS = 3_600_000;

type ViewBudget = (address: string, listingId: string) => Promise<boolean>;

/** Whether another view of the listing from a network counts. A loop can't make a listing popular by itself. */
function createViewBudget(limits: RateLimits): ViewBudget {
  const views = limits.store({ name: 'views', windowMs: VIEW_WINDOW_MS, limit: MAX_VIEWS });
  return async (address, listingId) =>
    (await views.increment(`${ipKeyGenerator(address)} ${listingId}`)).totalHits <= MAX_VIEWS;
}

/** The listing of a vehicle page's path. */
const VEHICLE_PATH = /^\/cars-for-sale\/vehicle\/([\w-]{1,64})(?:\?|$)/;

/** Views of listings: what counts, and recording one. */
export interface ListingViews {
  readonly allowsView: ViewBudget;
  readonly recordView: RecordView;
}

export function createListingViews({
  gateway,
  limits,
}: {
  readonly gateway: Pick<Gateway, 'call'>;
  readonly limits: RateLimits;
}): ListingViews {
  const allowsView = createViewBudget(limits);
  return { allowsView, recordView: createRecordView({ gateway }, allowsView) };
}

/** Events of listings: opened pages are recorded as views, usage is forwarded to the upstream. */
export function listingEvents(
  gateway: Pick<Gateway, 'call'>,
  { allowsView, recordView }: ListingViews,
): SitePageEvents {
  const forwardUsage = createForwardUsage(gateway, allowsView);
  return {
    fields: {
      listingId: z.string().max(64).optional(),
      tile: z.string().max(60).optional(),
      position: z.number().int().nonnegative().optional(),
    },
    types: [...USAGE, 'page.opened'],
    receive(request, report) {
      for (const { type } of report.events) {
        const opened = type === 'page.opened' ? VEHICLE_PATH.exec(report.page)?.[1] : undefined;
        if (opened !== undefined) recordView(request, contextOf(request), opened);
      }
      void forwardUsage(report, request);
    },
  };
}

/** Forwards usage events of people to the upstream; of views, those that the budget allows. */
const createForwardUsage =
  (gateway: Pick<Gateway, 'call'>, allowsView: ViewBudget) =>
  async ({ page, events }: PageReport, request: Request) => {
    const { callContext } = contextOf(request);
    const visitor = visitorOf(request);
    const { ip = '' } = request;
    if (visitor.session.isBot) return;
    const usage: PageReport['events'][number][] = [];
    for (const event of events) {
      const { type, listingId } = event;
      if (
        USAGE.has(type) &&
        (type !== 'view' || (await allowsView(ip, typeof listingId === 'string' ? listingId : '')))
      )
        usage.push(event);
    }
    if (usage.length === 0) return;
    const body = { brand: visitor.session.brand, pixallId: visitor.pixallId ?? '', page, events: usage };
    // Without the request's signal, which aborts when the page is left. The gateway logs failures.
    await gateway.call('pageEvent', {}, { ...callContext, signal: undefined, body }).catch(() => {});
  };

type RecordView = (request: Request, context: RequestContext, listingId?: string) => void;

/**
 * Records a view in the visitor's history, on which alerts are based: of a vehicle page that is sent, or, if it was
 * fetched ahead, opened. Without `listingId`, the path names it. The gateway logs failures.
 */
const createRecordView =
  ({ gateway }: { readonly gateway: Pick<Gateway, 'call'> }, allowsView: ViewBudget): RecordView =>
  (request, { visitor, callContext }, listingId = String(request.params['id'])) => {
    const { isBot, brand } = visitor.session;
    if (isBot || !callContext.consumerId) return;
    // Without the request's signal: a view counts even if the client disconnects.
    const { signal: _, ...context } = callContext;
    const body = { listingId, brand };
    void allowsView(request.ip ?? '', listingId).then((isAllowed) =>
      isAllowed ? gateway.call('recordView', {}, { ...context, body }) : undefined,
    );
  };

/** The browser's fields; the shell adds the visitor. */
const beaconSchema = CALLS.stillInterested.body.omit({ consumer_id: true, brand: true });

/** `POST /cars-for-sale/still-interested/alert`: a beacon, sent without custom headers. */
export const stillInterested =
  ({ gateway }: { readonly gateway: Pick<Gateway, 'call'> }): RequestHandler =>
  (request, response) => {
    const { callContext } = contextOf(request);
    const visitor = visitorOf(request);
    const beacon = beaconSchema.safeParse(request.body);
    if (!beacon.success) return sendError(response, 400, 'INVALID_BODY', 'not a valid beacon');
    const body = {
      ...beacon.data,
      brand: visitor.session.brand,
      consumer_id: visitor.pixallId ?? visitor.id,
    };
    // Without the request's signal, as above.
    void gateway.call('stillInterested', {}, { ...callContext, signal: undefined, body }).catch(() => {});
    return response.status(204).end();
  };
