import type { StartedPage } from '../../browser/startEngine.ts';
import { observeScripts, slotOfScript } from '../../browser/watchSlots.ts';
import type { BootData } from '../../universal/bootData.ts';
import { slotElementId } from '../../universal/slotElements.ts';

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
export function observeSlotUse(boot: BootData, counts: StartedPage['counts']): SlotUses {
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
