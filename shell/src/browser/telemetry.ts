import type { EventBus, EventRefusal } from '@forecourt/shared-contracts/events';
import type { Metric } from 'web-vitals';

/** Sends what happened to the page-event path (AMB-177, AMB-191). */
export interface PageEvents {
  readonly record: (
    event: { readonly type: string; readonly name: string } & Readonly<Record<string, unknown>>,
  ) => void;
  readonly recordRefusal: (refusal: EventRefusal) => void;
}

const SEND_EVERY_MS = 10_000;
const SEND_TO = '/cars-for-sale/svc/page-event';
/** Events of one sending; a slot that floods the bus must not fill the network. */
const MAX_BATCH = 100;

/** Batches events and sends them every 10 s and when the page is hidden. A failure never touches the page. */
export function createPageEvents(page: {
  readonly brand: string;
  /** The request that brought the page: the server's log has it. */
  readonly requestId: string;
  readonly url: () => string;
}): PageEvents {
  let batch: object[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length === 0) return;
    const { brand, requestId } = page;
    const body = JSON.stringify({ brand, page: page.url(), pageRequestId: requestId, events: batch });
    batch = [];
    navigator.sendBeacon(SEND_TO, new Blob([body], { type: 'application/json' }));
  };
  const record: PageEvents['record'] = (event) => {
    if (batch.length >= MAX_BATCH) return;
    batch.push(event);
    timer ??= setTimeout(send, SEND_EVERY_MS);
  };
  // Not on unload: that would keep the page out of the back/forward cache. At the
  // window, where the event arrives after those who record something because of it.
  window.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  return {
    record,
    recordRefusal: ({ type, sender, reason }) =>
      record({ type: 'event.refused', name: type, sender, reason: reason.slice(0, 500) }),
  };
}

/** Puts the bus's facts about use and failures on record. */
export function recordFacts(bus: EventBus, { record }: PageEvents): void {
  bus.on('page.tracked').subscribe(({ kind, ...fact }) => record({ type: kind, ...fact }));
  bus
    .on('slot.failed')
    .subscribe(({ slot, ...failure }) => record({ type: 'slot.failed', name: slot, ...failure }));
  bus
    .on('problem.reported')
    .subscribe(({ code, message }) => record({ type: 'problem.reported', name: code, message }));
}

/**
 * One page event for each time that the page is shown, and one for each search
 * that fills it anew (B7-OTHER-03). They name no listing: the upstream would
 * count a view of that vehicle, and its own page has told of that already.
 */
export function trackPageViews(bus: EventBus): void {
  const track = (name: 'page' | 'search') => bus.emit('page.tracked', { kind: 'view', name }, 'shell');

  // A tab opened in the background is shown when it is looked at.
  const trackOnceVisible = () => {
    if (document.visibilityState === 'hidden') return;
    document.removeEventListener('visibilitychange', trackOnceVisible);
    track('page');
  };
  document.addEventListener('visibilitychange', trackOnceVisible);
  trackOnceVisible();
  // Out of the back/forward cache, where no script starts again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) track('page');
  });
  bus.on('search.completed').subscribe(() => track('search'));
}

/** Records the field's page metrics: CLS is a ratio, the others are ms. */
export async function recordWebVitals({ record }: PageEvents): Promise<void> {
  const { onCLS, onINP, onLCP, onTTFB } = await import('web-vitals');
  const report = ({ name, value, rating }: Metric) => record({ type: 'web-vital', name, value, rating });
  for (const observe of [onLCP, onINP, onCLS, onTTFB]) observe(report);
}
