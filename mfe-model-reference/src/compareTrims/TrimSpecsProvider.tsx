import {
  type ReactNode,
  useEffect,
  useMemo,
  useState,
  createContext,
  useCallback,
  useContext,
  useRef,
} from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import type { Trim } from '@forecourt/upstream/entities';
import type { SpecsByTrim, TrimSpec } from './trimRows.ts';

interface TrimSpecs {
  readonly specs: SpecsByTrim;
  readonly request: (trims: readonly Trim[]) => void;
}

const TrimSpecsContext = createContext<TrimSpecs | null>(null);

/**
 * Caches the specs of trims for all comparisons below it. Each trim is requested once, when it is first compared; a
 * failed request is retried on the next comparison.
 */
export function TrimSpecsProvider({ children }: { children: ReactNode }): ReactNode {
  const { call } = useSlotEnvironment();
  const [specs, setSpecs] = useState<SpecsByTrim>(new Map());
  const requestedIds = useRef(new Set<string>());
  const request = useCallback(
    (trims: readonly Trim[]) => {
      for (const { vehicleId } of trims) {
        if (requestedIds.current.has(vehicleId)) continue;
        requestedIds.current.add(vehicleId);
        const store = (response: readonly TrimSpec[]) =>
          setSpecs((before) => new Map([...before, [vehicleId, response]]));
        call('specs', { vehicleId }).then(store, () => {
          requestedIds.current.delete(vehicleId);
          store([]);
        });
      }
    },
    [call],
  );
  const value = useMemo(() => ({ specs, request }), [specs, request]);
  return <TrimSpecsContext value={value}>{children}</TrimSpecsContext>;
}

/** All specs loaded so far; requests those of `trims`. */
export function useTrimSpecs(trims: readonly Trim[]): SpecsByTrim {
  const cache = useContext(TrimSpecsContext);
  if (!cache) throw new Error('useTrimSpecs must be used inside a TrimSpecsProvider');
  const { specs, request } = cache;
  useEffect(() => request(trims), [request, trims]);
  return specs;
}
