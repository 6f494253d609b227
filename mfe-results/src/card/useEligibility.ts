import { useEffect, useState, type RefObject } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { whenNear } from '../loading/useNear.ts';

/**
 * May this vehicle be bought at its dealer's online shop? Asked once it comes
 * near, and only of listings in that program; until an answer, and when it
 * fails, it may not (B8-ERR-15, AMB-117).
 */
export function useEligibility(
  { id, esntial }: Pick<Listing, 'id' | 'esntial'>,
  place: RefObject<Element | null>,
): boolean {
  const { call } = useSlotEnvironment();
  const [eligibleId, setEligibleId] = useState<string>();
  const isAsked = esntial?.eligibilityService !== undefined;
  useEffect(() => {
    const element = place.current;
    if (!isAsked || !element) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const forget = whenNear(element, () => {
      call('esntialEligibility', { listingId: id }, { signal }).then(
        ({ eligible }) => eligible && !signal.aborted && setEligibleId(id),
        // No answer is a no.
        () => {},
      );
    });
    return () => {
      forget();
      controller.abort();
    };
  }, [call, id, isAsked, place]);
  return eligibleId === id;
}
