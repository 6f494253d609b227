import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import { requiredSlots } from '../layout/layouts.ts';
import type { LoadLevel } from '../pages/pageLoad.ts';
import type { DistrustedPointers } from '../releases/plausibility.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { SlugReferenceKeeper } from '../search/slugReference.ts';
import { describeIsolation, type Isolation } from './isolation.ts';
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

/** Remote to its required slots that no live release fills. */
const missingSlots = (live: LiveRemotes): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...requiredSlots()]
      .map(([remote, slots]) => {
        const filled = live.get(remote)?.live.manifest.slots ?? {};
        return [remote, [...slots].filter((slot) => !Object.hasOwn(filled, slot))] as const;
      })
      .filter(([, slots]) => slots.length > 0),
  );

export interface ReadinessReport {
  readonly isReady: boolean;
  /** JSON for operators. */
  readonly facts: object;
}

interface ReadinessDeps {
  readonly reference: Pick<SlugReferenceKeeper, 'current'>;
  readonly releases: {
    readonly live: () => LiveRemotes;
    readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    readonly distrusted?: () => DistrustedPointers | undefined;
  };
  readonly isolation?: Isolation;
  readonly isStopping?: () => boolean;
}

/** Whether this shell can compose pages, for `/health/ready`. `failing`: releases whose slots failed lately. */
export function reportReadiness(
  { reference, releases, isolation, isStopping = () => false }: ReadinessDeps,
  load: { readonly level: LoadLevel },
  failing: ReturnType<SlotTrouble['recent']>,
): ReadinessReport {
  const missing = missingSlots(releases.live());
  const isComplete = Object.keys(missing).length === 0;
  const isReady = !isStopping() && !reference.current().isEmpty && isComplete;
  const pointers = releases.distrusted?.();
  const facts = {
    status: isStopping() ? 'stopping' : isReady ? 'ready' : 'starting',
    releases: Object.fromEntries(
      [...releases.live()].map(([name, { live }]) => [name, live.manifest.version]),
    ),
    refused: Object.fromEntries(releases.refused?.() ?? []),
    // A rollout must not replace complete replicas with this one.
    ...(!isComplete && { missing }),
    ...(pointers && { pointers }),
    load: load.level,
    ...(Object.keys(failing).length > 0 && { failing }),
    ...(isolation && { isolation: describeIsolation(isolation) }),
  };
  return { isReady, facts };
}
