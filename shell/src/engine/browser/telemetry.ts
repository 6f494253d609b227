import type { createEventBus, EventBus } from '@forecourt/slots/events';

/** Telemetry events, sent to the page-event endpoint. */
export interface PageEvents {
  readonly record: (
    event: { readonly type: string; readonly name: string } & Readonly<Record<string, unknown>>,
  ) => void;
  readonly recordRefusal: Parameters<typeof createEventBus>[1];
}

const SEND_EVERY_MS = 10_000;
/** Events per batch; further ones are dropped, so that a slot cannot flood the network. */
const MAX_BATCH = 100;

/** Batches events and sends them every 10 s and when the page is hidden. Failures are ignored. */
export function createPageEvents(page: {
  readonly endpoint: string;
  /** The site's own fields of each batch. */
  readonly facts: Readonly<Record<string, string>>;
  /** Id of the request that loaded the page, as in the server's log; '' in browsers that cannot read it. */
  readonly requestId: string;
  /** Proof for the server that it sent this page; may be empty. */
  readonly claim: string;
  readonly url: () => string;
}): PageEvents {
  let batch: object[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length === 0) return;
    const { endpoint, facts, requestId, claim } = page;
    const body = JSON.stringify({
      ...facts,
      page: page.url(),
      ...(requestId !== '' && { pageRequestId: requestId }),
      ...(claim !== '' && { claim }),
      events: batch,
    });
    batch = [];
    navigator.sendBeacon(endpoint, new Blob([body], { type: 'application/json' }));
  };
  const record: PageEvents['record'] = (event) => {
    if (batch.length >= MAX_BATCH) return;
    batch.push(event);
    timer ??= setTimeout(send, SEND_EVERY_MS);
  };
  // Not on unload, which would exclude the page from the back/forward cache. On the
  // window, so that listeners on the document have recorded their events before.
  window.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  return {
    record,
    recordRefusal: ({ type, sender, reason }) =>
      record({ type: 'event.refused', name: type, sender, reason: reason.slice(0, 500) }),
  };
}

/** Records failures of slots and other problems. */
export function recordFailures(bus: EventBus, { record }: PageEvents): void {
  bus
    .on('slot.failed')
    .subscribe(({ slot, ...failure }) => record({ type: 'slot.failed', name: slot, ...failure }));
  bus
    .on('problem.reported')
    .subscribe(({ code, message }) => record({ type: 'problem.reported', name: code, message }));
}

/** Reports that the visitor has opened a page that the browser had fetched ahead: the server has counted no view of it. */
export function recordOpening({ record }: PageEvents): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const { deliveryType } = (navigation ?? {}) as { deliveryType?: string };
  if (deliveryType === 'navigational-prefetch') record({ type: 'page.opened', name: 'prefetched' });
}
