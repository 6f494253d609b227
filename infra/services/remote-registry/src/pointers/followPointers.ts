import type { PointerStore } from './pointerStore.ts';
import type { PointerWaits } from './pointerWaits.ts';

/** Shells shall follow any change within two seconds, whichever registry made it. */
const EVERY_MS = 500;

/**
 * Wakes those who wait when another process has moved a pointer in a shared
 * storage. Looks only while somebody waits; a look that fails is told and
 * repeated.
 */
export function followPointers(
  pointers: PointerStore,
  waits: PointerWaits,
  options: { onError: (error: unknown) => void; everyMs?: number },
): { stop(): void } {
  let known: number | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || waits.count === 0) return;
    isLooking = true;
    try {
      const { revision } = await pointers.readPointers();
      // Also at the first look: who waits may have known an older revision. To be woken for nothing is harmless.
      if (revision !== known) waits.wake();
      known = revision;
    } catch (error) {
      options.onError(error);
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), options.everyMs ?? EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
