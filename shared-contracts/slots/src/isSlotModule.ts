import type { SlotModule } from './defineSlot.ts';

/** Whether a container exposes a valid slot module. `value` may be anything. */
export function isSlotModule(value: unknown): value is SlotModule {
  const candidate = value as Partial<SlotModule> | null | undefined;
  return (
    candidate?.kind === 'forecourt.slot' &&
    typeof candidate.view === 'function' &&
    Array.isArray(candidate.reads) &&
    (candidate.load === undefined || typeof candidate.load === 'function') &&
    (candidate.structuredData === undefined || typeof candidate.structuredData === 'function')
  );
}
