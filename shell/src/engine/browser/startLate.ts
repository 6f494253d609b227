import type { EventBus } from '@forecourt/slots/events';
import type { BootData } from '../universal/bootData.ts';
import type { sitePaths } from '../universal/paths.ts';
import { fetchDictionary } from './fetchDictionary.ts';
import { recordSpans, recordWebVitals } from './measurements.ts';
import { releaseOf } from './releaseOf.ts';
import type { SlotBudgets } from './slotBudgets.ts';
import { recordSlotUse } from './slotUse.ts';
import type { PageEvents } from './telemetry.ts';
import { watchSlots } from './watchSlots.ts';

/** Starts what measures a page and what its successors need, once it is idle and its first view interactive. */
export function startLate({
  boot,
  bus,
  paths,
  pageEvents,
  counts,
}: {
  readonly boot: BootData;
  readonly bus: EventBus;
  readonly paths: ReturnType<typeof sitePaths>;
  readonly pageEvents: PageEvents;
  readonly counts: SlotBudgets['counts'];
}): void {
  recordWebVitals(pageEvents, (name) =>
    releaseOf(
      boot,
      boot.slots.find(({ slot }) => slot === name),
    ),
  );
  recordSpans(paths);
  watchSlots(boot, bus);
  recordSlotUse(boot, counts, pageEvents);
  fetchDictionary();
}
