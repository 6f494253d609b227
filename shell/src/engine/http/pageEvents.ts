import type { RequestHandler } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { Counter, Histogram, type Registry } from 'prom-client';
import { z } from 'zod';
import { createMinuteBudget } from './clientLimits.ts';
import type { BrowserEvidence } from '../releases/browserEvidence.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import { EVENT_FIELDS, type PageEvent, type SitePageEvents } from './sitePageEvents.ts';
import type { PageTrace } from '../universal/pageTrace.ts';
import { contextOf } from './requestContext.ts';
import { sendError } from './responses.ts';

const bodySchemaWith = (fields: z.ZodRawShape) =>
  z.object({
    page: z.string().max(2000),
    /** Request id of the page on which the events happened. */
    pageRequestId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{8,64}$/)
      .optional(),
    /** From the page's response; a claim that cannot be read is none. */
    claim: z.string().max(8000).catch(''),
    events: z.array(z.object({ ...EVENT_FIELDS, ...fields })).max(100),
  });

/** Event types that are counted by name; others count as 'other'. */
const TYPES = ['slot.failed', 'event.refused', 'problem.reported', 'web-vital', 'slot.used'];
/** Failures, which are logged. */
const FAILURES = new Set(['slot.failed', 'event.refused', 'problem.reported']);

/** Lines that all visitors together may write to the log per minute: anyone can send failures. All are counted. */
const LOGGED_PER_MINUTE = 300;
/** Characters of a page's path in the log. */
const MAX_LOGGED_PATH = 200;

/** Longer than any page takes to load; ms. */
const MAX_SPAN_MS = 600_000;

export interface PageEventDeps {
  readonly site: { readonly pageEvents: SitePageEvents };
  readonly logger: Logger;
  readonly releases: { readonly live: () => LiveRemotes };
  readonly browsers: Pick<BrowserEvidence, 'report' | 'reportVital' | 'reportFigures'>;
  readonly clock: () => Date;
  readonly metrics: Registry;
}

/**
 * `POST {root}/svc/page-event`: counts the events of browsers, logs failures, attributes failed slots to their
 * release, records web vitals and passes all on to the site.
 */
export function pageEvents(deps: PageEventDeps): RequestHandler {
  const { site, logger, releases, browsers, clock, metrics } = deps;
  const bodySchema = bodySchemaWith(site.pageEvents.fields);
  const types = new Set([...TYPES, ...site.pageEvents.types]);
  const counter = new Counter({
    name: 'forecourt_page_events_total',
    help: 'Events reported by browsers, by kind',
    labelNames: ['kind'],
    registers: [metrics],
  });
  const reports = new Counter({
    name: 'forecourt_browser_reports_total',
    help: 'Slot failures and web vitals of browsers, by whether they count for a release: counted, or why not',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const measure = createWebVitalMetrics(metrics, releases.live);
  const isWithinBudget = createMinuteBudget(clock, LOGGED_PER_MINUTE);

  return (request, response) => {
    const { requestId, visitor } = contextOf(request);
    const body = bodySchema.safeParse(request.body);
    if (!body.success) return sendError(response, 400, 'INVALID_BODY', 'not a batch of page events');
    const { page, pageRequestId, claim, events } = body.data;
    for (const event of events) {
      counter.inc({ kind: types.has(event.type) ? event.type : 'other' });
      if (FAILURES.has(event.type) && isWithinBudget()) {
        // Without the query, which says what the visitor searched for, and where.
        const path = page.replace(/\?.*$/s, '').slice(0, MAX_LOGGED_PATH);
        logger.warn({ requestId, page: path, pageRequestId, event }, 'reported by a browser');
      }
      const sender = { claim, visitor: visitor.id, address: request.ip ?? '' };
      if (event.type === 'slot.failed')
        reports.inc({ outcome: visitor.isBot ? 'ignored' : browsers.report({ ...event, ...sender }) });
      const { value } = event;
      if (event.type === 'web-vital' && value !== undefined) {
        measure({ ...event, value });
        reports.inc({
          outcome: visitor.isBot ? 'ignored' : browsers.reportVital({ ...event, value, ...sender }),
        });
      }
      const measured = visitor.isBot ? undefined : figuresOf(event);
      if (measured) browsers.reportFigures({ ...measured, ...sender });
    }
    site.pageEvents.receive(request, { page, events: events as readonly PageEvent[] });
    return response.status(204).end();
  };
}

type ReportedEvent = z.infer<z.ZodObject<typeof EVENT_FIELDS>>;

/** What an event says about one slot; undefined if nothing. */
function figuresOf({ type, name, slot, release, value, use }: ReportedEvent) {
  if (type === 'web-vital' && slot !== undefined && value !== undefined) {
    if (name === 'LCP') return { name: slot, release, figures: { lcpMs: value } };
    if (name === 'INP') return { name: slot, release, figures: { inpMs: value } };
  }
  if (type !== 'slot.used' || !use) return undefined;
  // Budgets count within a minute, so a shorter view did not do more per minute.
  const minutes = Math.max(1, use.seconds / 60);
  const figures = {
    eventsPerMinute: use.events / minutes,
    callsPerMinute: use.calls / minutes,
    elements: use.elements,
    busyMsPerMinute: use.busyMs / minutes,
  };
  return { name, release, figures };
}

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

/** `POST {root}/svc/page-trace`: adds the loading of a page to the trace of its request. */
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
