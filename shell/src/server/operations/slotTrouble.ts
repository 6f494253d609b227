import type { SlotMetrics } from '../compose/renderSlots.ts';

/** A failure is reported for so long; ms. */
const REPORTED_MS = 60_000;
/** Releases that are reported; the oldest failure is dropped first. */
const MAX_RELEASES = 50;

/** Code of the last failure, by slot. */
type FailuresBySlot = Readonly<Record<string, string>>;

export interface SlotTrouble {
  /** Adds a record of failures to the metrics. */
  readonly observe: (metrics: SlotMetrics) => SlotMetrics;
  /** Releases ('mfe-results@1.4.0') whose slots showed their fallback within the last minute, for `/health/ready`. */
  readonly recent: () => Readonly<Record<string, FailuresBySlot>>;
}

export function createSlotTrouble(clock: () => Date): SlotTrouble {
  const failures = new Map<string, { readonly at: number; readonly slots: FailuresBySlot }>();
  const record = (release: string, slot: string, code: string) => {
    const slots = { ...failures.get(release)?.slots, [slot]: code };
    // Inserted at the end: the first entry is the oldest.
    failures.delete(release);
    failures.set(release, { at: clock().getTime(), slots });
    const [oldest] = failures.keys();
    if (failures.size > MAX_RELEASES && oldest !== undefined) failures.delete(oldest);
  };
  return {
    observe: (metrics) => ({
      start(slot, release) {
        const stop = metrics.start(slot, release);
        return (outcome) => {
          stop(outcome);
          // Slots without a release are listed as missing.
          const isOfRelease = release.includes('@');
          if (isOfRelease && outcome !== 'ok' && outcome !== 'CANCELLED') record(release, slot, outcome);
        };
      },
    }),
    recent() {
      const since = clock().getTime() - REPORTED_MS;
      const recent = [...failures].filter(([, { at }]) => at > since);
      return Object.fromEntries(recent.map(([release, { slots }]) => [release, slots]));
    },
  };
}
