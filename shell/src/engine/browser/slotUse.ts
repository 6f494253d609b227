import type { BootData } from '../universal/bootData.ts';
import { slotElementId } from '../universal/slotElements.ts';
import { releaseOf } from './releaseOf.ts';
import type { SlotBudgets } from './slotBudgets.ts';
import type { PageEvents } from './telemetry.ts';
import { observeScripts, slotOfScript } from './watchSlots.ts';

/** What a slot has done in this browser. */
interface SlotUse {
  readonly events: number;
  readonly calls: number;
  readonly elements: number;
  /** Time for which its scripts have delayed frames; ms. */
  readonly busyMs: number;
}

export interface SlotUses {
  readonly of: (slot: string) => SlotUse;
  readonly stop: () => void;
}

/** Observes what the slots of a page do. */
export function observeSlotUse(boot: BootData, counts: SlotBudgets['counts']): SlotUses {
  const busy = new Map<string, number>();
  const stop = observeScripts(({ url, ms }) => {
    const slot = slotOfScript(boot, url)?.slot;
    if (slot !== undefined) busy.set(slot, (busy.get(slot) ?? 0) + ms);
  });
  return {
    of: (slot) => ({
      ...(counts.get(slot) ?? { events: 0, calls: 0 }),
      elements: document.getElementById(slotElementId(slot))?.getElementsByTagName('*').length ?? 0,
      busyMs: busy.get(slot) ?? 0,
    }),
    stop,
  };
}

/** Reports what the slots of a release have done, once, when the page is hidden for the first time. */
export function recordSlotUse(
  boot: BootData,
  counts: SlotBudgets['counts'],
  { record }: Pick<PageEvents, 'record'>,
): void {
  const uses = observeSlotUse(boot, counts);
  const report = () => {
    if (document.visibilityState !== 'hidden') return;
    document.removeEventListener('visibilitychange', report);
    uses.stop();
    const seconds = Math.ceil(performance.now() / 1000);
    for (const one of boot.slots) {
      const release = releaseOf(boot, one);
      const { events, calls, elements, busyMs } = uses.of(one.slot);
      if (release === undefined || elements === 0) continue;
      const use = { events, calls, elements, busyMs: Math.round(busyMs), seconds };
      record({ type: 'slot.used', name: one.slot, release, use });
    }
  };
  // Before the listener on the window that sends.
  document.addEventListener('visibilitychange', report);
}
