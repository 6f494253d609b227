import type { EventBus } from '@forecourt/slots/events';
import type { PageEvents } from '../../../engine/browser/telemetry.ts';

/** Records what visitors see and click, as slots and the page track it. */
export function recordUsage(bus: EventBus, { record }: Pick<PageEvents, 'record'>): void {
  bus.on('page.tracked').subscribe(({ kind, ...fact }) => record({ type: kind, ...fact }));
}
