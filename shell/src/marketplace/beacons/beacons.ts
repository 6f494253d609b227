import { Counter, type Registry, Histogram } from 'prom-client';
import type { Request, RequestHandler } from 'express';
import type { PageTrace } from '../../engine/universal/pageTrace.ts';
import { ipKeyGenerator } from 'express-rate-limit';
import { z } from 'zod';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { createBrowserFailures, type FailureClaims } from '../../engine/releases/browserFailures.ts';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import type { Logger } from 'pino';
import type { CanaryWatch } from '../../engine/releases/canaryWatch.ts';
import type { LiveRemotes } from '../../engine/releases/snapshot.ts';
import { createMinuteBudget } from '../../engine/load/clientLimits.ts';
import { sendError } from '../../engine/http/responses.ts';
import { contextOf, type RequestContext } from '../../engine/http/requestContext.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

/** Message of a failure, truncated for the log. */
const logged = z.string().transform((text) => text.slice(0, 500));

/** Bounds every field that is logged, counted or forwarded; other fields are dropped. */
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
  slot: z.string().max(60).optional(),
  message: logged.optional(),
  reason: logged.optional(),
  value: z.number().nonnegative().max(3_600_000).optional(),
});

const bodySchema = z.object({
  brand: z.string().max(8),
  page: z.string().max(2000),
  /** Request id of the page on which the events happened. */
  pageRequestId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/)
    .optional(),
  /** From the page's response; a claim that cannot be read is none. */
  claim: z.string().max(8000).catch(''),
  events: z.array(eventSchema).max(100),
});

/** Event types counted by name; others count as 'other'. */
const KINDS = new Set([
  'impression',
  'click',
  'view',
  'slot.failed',
  'event.refused',
  'problem.reported',
  'web-vital',
  'page.opened',
]);
/** Failures, which are logged. */
const FAILURES = new Set(['slot.failed', 'event.refused', 'problem.reported']);
/** Usage events, which the upstream counts (AMB-177). */
const USAGE = new Set(['impression', 'click', 'view']);

/** Lines that all visitors together may write to the log per minute: anyone can send failures. All are counted. */
const LOGGED_PER_MINUTE = 300;
/** Characters of a page's path in the log. */
const MAX_LOGGED_PATH = 200;

/** Longer than any page takes to load; ms. */
const MAX_SPAN_MS = 600_000;

/** Views of one listing that count per network and hour: visitors without cookies could be one visitor. */
const MAX_VIEWS = 10;
const VIEW_WINDOW_MS = 3_600_000;

export type ViewBudget = (address: string, listingId: string) => Promise<boolean>;

/** Whether another view of the listing from a network counts. A loop can't make a listing popular by itself. */
export function createViewBudget(limits: RateLimits): ViewBudget {
  const views = limits.store({ name: 'views', windowMs: VIEW_WINDOW_MS, limit: MAX_VIEWS });
  return async (address, listingId) =>
    (await views.increment(`${ipKeyGenerator(address)} ${listingId}`)).totalHits <= MAX_VIEWS;
}

/** The listing of a vehicle page's path. */
const VEHICLE_PATH = /^\/cars-for-sale\/vehicle\/([\w-]{1,64})(?:\?|$)/;

export interface BeaconDeps {
  readonly logger: Logger;
  readonly gateway: Gateway;
  readonly releases: { readonly live: () => LiveRemotes };
  readonly canaries?: CanaryWatch | undefined;
  readonly failureClaims: FailureClaims;
  readonly clock: () => Date;
}

/**
 * `POST /cars-for-sale/svc/page-event` (AMB-191): counts the events of browsers,
 * logs failures, attributes failed slots to their release, records web vitals
 * and forwards usage events to the upstream.
 */
export function pageEvents(
  { logger, gateway, releases, canaries, failureClaims, clock }: BeaconDeps,
  metrics: Registry,
  { allowsView, recordView }: { readonly allowsView: ViewBudget; readonly recordView: RecordView },
): RequestHandler {
  const counter = new Counter({
    name: 'forecourt_page_events_total',
    help: 'Events reported by browsers, by kind',
    labelNames: ['kind'],
    registers: [metrics],
  });
  const reports = new Counter({
    name: 'forecourt_browser_reports_total',
    help: 'Slot failures and web vitals of browsers, by whether they count for a canary: counted, or why not',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const measure = createWebVitalMetrics(metrics, releases.live);
  const failures = createBrowserFailures({
    live: releases.live,
    claims: failureClaims,
    record: (...outcome) => canaries?.record(...outcome),
  });

  const forwardUsage = createForwardUsage(gateway, allowsView);
  const isWithinBudget = createMinuteBudget(clock, LOGGED_PER_MINUTE);

  return (request, response) => {
    const { requestId, visitor } = contextOf(request);
    const body = bodySchema.safeParse(request.body);
    if (!body.success) return sendError(response, 400, 'INVALID_BODY', 'not a batch of page events');
    const { page, pageRequestId, claim, events } = body.data;
    for (const event of events) {
      counter.inc({ kind: KINDS.has(event.type) ? event.type : 'other' });
      if (FAILURES.has(event.type) && isWithinBudget()) {
        // Without the query, which says what the visitor searched for, and where.
        const path = page.replace(/\?.*$/s, '').slice(0, MAX_LOGGED_PATH);
        logger.warn({ requestId, page: path, pageRequestId, event }, 'reported by a browser');
      }
      const opened = event.type === 'page.opened' ? VEHICLE_PATH.exec(page)?.[1] : undefined;
      if (opened !== undefined) recordView(request, contextOf(request), opened);
      const sender = { claim, visitor: visitor.id, address: request.ip ?? '' };
      const { isBot } = visitor.session;
      if (event.type === 'slot.failed')
        reports.inc({ outcome: isBot ? 'ignored' : failures.report({ ...event, ...sender }) });
      const { value } = event;
      if (event.type === 'web-vital' && value !== undefined) {
        measure({ ...event, value });
        reports.inc({ outcome: isBot ? 'ignored' : failures.reportVital({ ...event, value, ...sender }) });
      }
    }
    void forwardUsage({ page, events }, request);
    return response.status(204).end();
  };
}

/** Forwards usage events of people to the upstream; of views, those that the budget allows. */
const createForwardUsage =
  (gateway: Gateway, allowsView: ViewBudget) =>
  async ({ page, events }: Pick<z.infer<typeof bodySchema>, 'page' | 'events'>, request: Request) => {
    const { visitor, callContext } = contextOf(request);
    const { ip = '' } = request;
    if (visitor.session.isBot) return;
    const usage: typeof events = [];
    for (const event of events) {
      const { type, listingId = '' } = event;
      if (USAGE.has(type) && (type !== 'view' || (await allowsView(ip, listingId)))) usage.push(event);
    }
    if (usage.length === 0) return;
    const body = { brand: visitor.session.brand, pixallId: visitor.pixallId ?? '', page, events: usage };
    // Without the request's signal, which aborts when the page is left. The gateway logs failures.
    await gateway.call('pageEvent', {}, { ...callContext, signal: undefined, body }).catch(() => {});
  };

export type RecordView = (request: Request, context: RequestContext, listingId?: string) => void;

/**
 * Records a view in the visitor's history, on which alerts are based: of a vehicle page that is sent, or, if it was
 * fetched ahead, opened. Without `listingId`, the path names it. The gateway logs failures.
 */
export const createRecordView =
  ({ gateway }: Pick<BeaconDeps, 'gateway'>, allowsView: ViewBudget): RecordView =>
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

/** Web vitals reported in ms. */
const DURATIONS = ['LCP', 'INP', 'TTFB', 'FCP'] as const;

interface WebVital {
  readonly name: string;
  readonly value: number;
  /** The slot that the vital is about, e.g. of the clicked control, and its release. */
  readonly slot?: string | undefined;
  readonly release?: string | undefined;
}

/** Slot and release as labels; '' for the shell's own slots, and for what this shell does not know. */
function labelsOf({ slot = '', release = '' }: WebVital, remotes: LiveRemotes) {
  const pointer = remotes.get(release.split('@', 1)[0] ?? '');
  const known = [pointer?.live, pointer?.canary?.release].find((one) => one?.id === release);
  return known && Object.hasOwn(known.manifest.slots, slot) ? { slot, release } : { slot: '', release: '' };
}

/** Records web vitals by name, slot and release and ignores other names. Times are in ms, CLS is a ratio. */
function createWebVitalMetrics(registry: Registry, live: () => LiveRemotes): (vital: WebVital) => void {
  const seconds = new Histogram({
    name: 'forecourt_web_vital_seconds',
    help: 'LCP, INP, FCP and TTFB in browsers, in seconds, with the slot that they are about and its release',
    labelNames: ['name', 'slot', 'release'],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 8],
    registers: [registry],
  });
  const shift = new Histogram({
    name: 'forecourt_web_vital_layout_shift',
    help: 'Cumulative Layout Shift (CLS) in browsers, a ratio, with the slot that moved most and its release',
    labelNames: ['slot', 'release'],
    buckets: [0, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  return (vital) => {
    const { name, value } = vital;
    const labels = labelsOf(vital, live());
    if (name === 'CLS') shift.observe(labels, value);
    else if (DURATIONS.some((time) => time === name)) seconds.observe({ name, ...labels }, value / 1000);
  };
}

const pageTraceSchema = z.object({
  trace: z.string().max(200),
  spans: z
    .array(
      z.object({
        name: z.string().regex(/^[\w ./-]{1,100}$/),
        startMs: z.number().min(-MAX_SPAN_MS).max(MAX_SPAN_MS),
        ms: z.number().nonnegative().max(MAX_SPAN_MS),
      }),
    )
    .max(60),
}) satisfies z.ZodType<PageTrace>;

/** `POST /cars-for-sale/svc/page-trace`: adds the loading of a page to the trace of its request. */
export const pageTrace =
  ({
    tracing,
  }: {
    readonly tracing?: { readonly addPage: (page: PageTrace) => boolean } | undefined;
  }): RequestHandler =>
  (request, response) => {
    const page = pageTraceSchema.safeParse(request.body);
    if (!page.success || tracing?.addPage(page.data) !== true)
      return sendError(response, 400, 'INVALID_BODY', 'not the trace of a page');
    return response.status(204).end();
  };

/** The browser's fields; the shell adds the visitor. */
const beaconSchema = CALLS.stillInterested.body.omit({ consumer_id: true, brand: true });

/** `POST /cars-for-sale/still-interested/alert` (B7-STILL-01): a beacon, sent without custom headers. */
export const stillInterested =
  ({ gateway }: Pick<BeaconDeps, 'gateway'>): RequestHandler =>
  (request, response) => {
    const { visitor, callContext } = contextOf(request);
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
