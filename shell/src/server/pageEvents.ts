import { Counter, type Registry } from 'prom-client';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { createBrowserFailures } from '../releases/browserFailures.ts';
import type { ShellDeps } from './deps.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';
import { isSameOrigin } from './sameOrigin.ts';
import { createWebVitalMetrics } from './webVitals.ts';

/** Text of a failure, as long as a log line needs it. */
const logged = z.string().transform((text) => text.slice(0, 500));

/** What is logged, counted or sent on is bounded and named here; the rest of an event is dropped. */
const eventSchema = z.object({
  type: z.string().max(60),
  name: z.string().max(200),
  listingId: z.string().max(64).optional(),
  tile: z.string().max(60).optional(),
  position: z.number().int().nonnegative().optional(),
  phase: z.string().max(20).optional(),
  sender: z.string().max(60).optional(),
  /** 'mfe-results@1.4.0' */
  release: z.string().max(110).optional(),
  message: logged.optional(),
  reason: logged.optional(),
  value: z.number().nonnegative().max(3_600_000).optional(),
});

const bodySchema = z.object({
  brand: z.string().max(8),
  page: z.string().max(2000),
  /** Of the page that the events happened on: its own request, not the beacon's. */
  pageRequestId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/)
    .optional(),
  events: z.array(eventSchema).max(100),
});

/** Kinds of events that have a series of their own; anything else a browser sends is 'other'. */
const KINDS = new Set([
  'impression',
  'click',
  'view',
  'slot.failed',
  'event.refused',
  'problem.reported',
  'web-vital',
]);
/** What went wrong in a browser is in the log. */
const LOGGED = new Set(['slot.failed', 'event.refused', 'problem.reported']);
/** About use: the upstream counts it (AMB-177). */
const ABOUT_USE = new Set(['impression', 'click', 'view']);

/**
 * `POST /cars-for-sale/svc/page-event` (AMB-191): counts what browsers report,
 * logs their failures, holds those of slots against their release, keeps web
 * vitals and sends what is about use on to the upstream. The browser waits for
 * none of it.
 */
export function pageEvents(
  { logger, gateway, releases, canaries }: Pick<ShellDeps, 'logger' | 'gateway' | 'releases' | 'canaries'>,
  metrics: Registry,
): RequestHandler {
  const counter = new Counter({
    name: 'forecourt_page_events_total',
    help: 'Events reported by browsers, by kind',
    labelNames: ['kind'],
    registers: [metrics],
  });
  const measure = createWebVitalMetrics(metrics);
  const failures = createBrowserFailures({ live: releases.live, record: (...of) => canaries?.record(...of) });

  return (request, response) => {
    const { requestId, visitor, callContext } = infoOf(request);
    if (!isSameOrigin(request))
      return sendError(response, 403, 'CROSS_ORIGIN', 'writes come from this site only', requestId);
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      return sendError(response, 400, 'INVALID_BODY', 'not a batch of page events', requestId);
    const { page, pageRequestId, events } = body.data;
    for (const event of events) {
      counter.inc({ kind: KINDS.has(event.type) ? event.type : 'other' });
      if (LOGGED.has(event.type))
        logger.warn({ requestId, page, pageRequestId, event }, 'reported by a browser');
      if (event.type === 'slot.failed' && !visitor.session.isBot)
        failures.report({ ...event, visitor: visitor.id, address: request.ip ?? '' });
      if (event.type === 'web-vital' && event.value !== undefined) measure(event.name, event.value);
    }
    const used = events.filter(({ type }) => ABOUT_USE.has(type));
    if (used.length > 0 && !visitor.session.isBot) {
      const batch = {
        brand: visitor.session.brand,
        pixallId: visitor.pixallId ?? '',
        page,
        events: used,
      };
      // A browser that sends as it leaves is gone before the answer; a failure is logged by the gateway.
      void gateway.call('pageEvent', {}, { ...callContext, signal: undefined, body: batch }).catch(() => {});
    }
    return response.status(204).end();
  };
}
