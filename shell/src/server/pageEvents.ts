import { Counter, type Registry } from 'prom-client';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ShellDeps } from './deps.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';
import { isSameOrigin } from './sameOrigin.ts';

/** Text of a failure, as long as a log line needs it. */
const logged = z.string().transform((text) => text.slice(0, 500));

const bodySchema = z.object({
  brand: z.string().max(8),
  page: z.string().max(2000),
  events: z
    .array(
      // What is logged is bounded and named here; the rest of an event is dropped.
      z.object({
        type: z.string().max(60),
        name: z.string().max(200),
        phase: z.string().max(20).optional(),
        sender: z.string().max(60).optional(),
        message: logged.optional(),
        reason: logged.optional(),
      }),
    )
    .max(100),
});

/** Kinds of events that have a series of their own; anything else a browser sends is 'other'. */
const KINDS = new Set(['impression', 'click', 'view', 'slot.failed', 'event.refused', 'web-vital']);

/** `POST /cars-for-sale/svc/page-event` (AMB-191): counts what browsers report and logs their failures. */
export function pageEvents({ logger }: Pick<ShellDeps, 'logger'>, metrics: Registry): RequestHandler {
  const counter = new Counter({
    name: 'forecourt_page_events_total',
    help: 'Events reported by browsers, by kind',
    labelNames: ['kind'],
    registers: [metrics],
  });
  return (request, response) => {
    const { requestId } = infoOf(request);
    if (!isSameOrigin(request))
      return sendError(response, 403, 'CROSS_ORIGIN', 'writes come from this site only', requestId);
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      return sendError(response, 400, 'INVALID_BODY', 'not a batch of page events', requestId);
    for (const event of body.data.events) {
      counter.inc({ kind: KINDS.has(event.type) ? event.type : 'other' });
      if (event.type === 'slot.failed' || event.type === 'event.refused') {
        logger.warn({ requestId, page: body.data.page, event }, 'reported by a browser');
      }
    }
    return response.status(204).end();
  };
}
