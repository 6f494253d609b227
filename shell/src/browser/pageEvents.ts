import type { createEventBus, EventBus } from '@forecourt/shared-contracts/events';

/** Sends what happened to the page-event path (AMB-177, AMB-191). */
export interface PageEvents {
  readonly record: (
    event: { readonly type: string; readonly name: string } & Readonly<Record<string, unknown>>,
  ) => void;
  readonly recordRefusal: Parameters<typeof createEventBus>[0];
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
