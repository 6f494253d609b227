import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import { requiredSlots } from '../layout/layouts.ts';
import type { LoadLevel } from '../pages/pageLoad.ts';
import type { DistrustedPointers } from '../releases/registryClient.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { SlugReferenceKeeper } from '../search/slugReference.ts';
import { describeIsolation, type Isolation } from './isolation.ts';
import type { SlotTrouble } from './slotTrouble.ts';

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
  readonly facts: { readonly status: string; readonly [fact: string]: unknown };
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
