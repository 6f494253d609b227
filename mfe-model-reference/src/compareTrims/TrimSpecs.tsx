import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { Trim } from '@forecourt/shared-contracts/entities';
import type { TrimSpec } from '../callTypes.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import type { SpecsByTrim } from './trimRows.ts';

interface TrimSpecs {
  readonly specs: SpecsByTrim;
  readonly ask: (trims: readonly Trim[]) => void;
}

const TrimSpecsContext = createContext<TrimSpecs | null>(null);

/**
 * Keeps the specs of trims for all comparisons below it: each trim is asked for once, when it is first compared. One
 * that fails has no specs, until it is compared anew.
 */
export function TrimSpecsProvider({ children }: { children: ReactNode }): ReactNode {
  const { call } = useSlotEnvironment();
  const [specs, setSpecs] = useState<SpecsByTrim>(new Map());
  const asked = useRef(new Set<string>());
  const ask = useCallback(
    (trims: readonly Trim[]) => {
      for (const { vehicleId } of trims) {
        if (asked.current.has(vehicleId)) continue;
        asked.current.add(vehicleId);
        const keep = (answer: readonly TrimSpec[]) =>
          setSpecs((before) => new Map([...before, [vehicleId, answer]]));
        call('specs', { vehicleId }).then(keep, () => {
          asked.current.delete(vehicleId);
          keep([]);
        });
      }
    },
    [call],
  );
  const value = useMemo(() => ({ specs, ask }), [specs, ask]);
  return <TrimSpecsContext value={value}>{children}</TrimSpecsContext>;
}

/** The specs known so far; those of `trims` are asked for. */
export function useTrimSpecs(trims: readonly Trim[]): SpecsByTrim {
  const kept = useContext(TrimSpecsContext);
  if (!kept) throw new Error('specs are only for components inside a TrimSpecsProvider');
  const { specs, ask } = kept;
  useEffect(() => ask(trims), [ask, trims]);
  return specs;
}
