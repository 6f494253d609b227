import { useEffect, useState } from 'react';
import type { Trim, TrimSpec } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import type { SpecsByTrim } from './trimTable.ts';

/** Loads the specs of the trims, each once, when a comparison is shown; one that fails has no specs. */
export function useTrimSpecs(trims: readonly Trim[]): SpecsByTrim {
  const { call } = useSlotEnvironment();
  const [specs, setSpecs] = useState<SpecsByTrim>(new Map());
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const { vehicleId } of trims) {
      const keep = (answer: readonly TrimSpec[]) =>
        !signal.aborted && setSpecs((before) => new Map([...before, [vehicleId, answer]]));
      call('specs', { vehicleId }, { signal }).then(keep, () => keep([]));
    }
    return () => controller.abort();
  }, [call, trims]);
  return specs;
}
