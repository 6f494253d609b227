import { requiredSlots } from '../layout/layouts.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';

/** Remote to its required slots that no live release fills. */
export const missingSlots = (live: LiveRemotes): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...requiredSlots()]
      .map(([remote, slots]) => {
        const filled = live.get(remote)?.live.manifest.slots ?? {};
        return [remote, [...slots].filter((slot) => !Object.hasOwn(filled, slot))] as const;
      })
      .filter(([, slots]) => slots.length > 0),
  );
