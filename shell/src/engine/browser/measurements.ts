import { onCLS, onINP, onLCP, onTTFB, type Metric } from 'web-vitals';
import type { sitePaths } from '../universal/paths.ts';
import type { PageTrace } from '../universal/pageTrace.ts';
import { TRACE_METRIC } from '../universal/responseFacts.ts';
import type { PageEvents } from './telemetry.ts';

// Loaded when the page is idle: nothing here is part of the first view.

interface EntryOfElement {
  /** Of the largest paint. */
  readonly element?: Element | null;
  /** Of an interaction. */
  readonly target?: Node | null;
  /** Of a layout shift. */
  readonly sources?: readonly { readonly node?: Node | null }[];
  readonly value?: number;
}

/** The slot with the largest picture, the slowest control, or the element that moved most. */
function slotOf({ name, entries }: Metric): string | undefined {
  const all = entries as readonly EntryOfElement[];
  const entry =
    name === 'CLS' ? all.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))[0] : all[all.length - 1];
  const node = entry?.element ?? entry?.target ?? entry?.sources?.[0]?.node;
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-slot]')?.dataset['slot'];
}

/**
 * Records web vitals with the slot that they are about: CLS is a ratio, the others are in ms. `releaseOf` returns the
 * release of a slot, e.g. 'mfe-results@1.4.0'.
 */
export function recordWebVitals(
  { record }: PageEvents,
  releaseOf: (slot: string) => string | undefined,
): void {
  const report = (metric: Metric) => {
    const { name, value, rating } = metric;
    const slot = slotOf(metric);
    const release = slot === undefined ? undefined : releaseOf(slot);
    record({
      type: 'web-vital',
      name,
      value,
      rating,
      ...(slot !== undefined && { slot }),
      ...(release !== undefined && { release }),
    });
  };
  for (const observe of [onLCP, onINP, onCLS, onTTFB]) observe(report);
}

const SLOT_MARK = /^slot:(.+):hydrated$/;
const MAX_SPANS = 60;

/** The page as it loaded: the navigation, how long each slot took to hydrate, and requests to the API. */
function pageSpans(navigation: PerformanceNavigationTiming, api: string): PageTrace['spans'] {
  const { startTime, requestStart, responseStart, responseEnd, loadEventEnd } = navigation;
  const span = (name: string, from: number, until: number) => ({
    name,
    startMs: from - requestStart,
    ms: Math.max(0, until - from),
  });
  const hydrations = performance.getEntriesByType('mark').flatMap(({ name, startTime: at }) => {
    const slot = SLOT_MARK.exec(name)?.[1];
    return slot === undefined ? [] : [span(`until ${slot} is interactive`, responseStart, at)];
  });
  const requests = performance.getEntriesByType('resource').flatMap((entry) => {
    const { pathname } = new URL(entry.name, location.href);
    return pathname.startsWith(api)
      ? [span(`fetch ${pathname}`, entry.startTime, entry.startTime + entry.duration)]
      : [];
  });
  return [
    span('load', startTime, loadEventEnd),
    span('request', requestStart, responseStart),
    span('response', responseStart, responseEnd),
    ...hydrations,
    ...requests,
  ].slice(0, MAX_SPANS);
}

/** Adds the page's loading to the trace of its request, if the server records that and said so in Server-Timing. */
export function recordSpans({
  api,
  pageTrace,
}: Pick<ReturnType<typeof sitePaths>, 'api' | 'pageTrace'>): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const trace = navigation?.serverTiming.find(({ name }) => name === TRACE_METRIC)?.description;
  if (!navigation || !trace) return;
  const body: PageTrace = { trace, spans: pageSpans(navigation, api) };
  navigator.sendBeacon(pageTrace, new Blob([JSON.stringify(body)], { type: 'application/json' }));
}
