import type { SlotOutcome } from '../page/renderSlots.ts';
import type { MeasuredSlot } from './testerBoot.ts';

/** What the devtools say of a slot's part on the server. */
export const measureSlot = ({ placement, release, rendered, ms, failure }: SlotOutcome): MeasuredSlot => ({
  slot: placement.slot,
  remote: placement.source === 'shell' ? null : placement.source.remote,
  version: release?.manifest.version ?? null,
  criticality: placement.criticality,
  ms: ms === undefined ? undefined : Math.round(ms * 10) / 10,
  bytes: rendered ? Buffer.byteLength(rendered.html) : 0,
  failure,
});
