import { useEffect, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { findInterestingVehicle, type InterestingVehicle } from './findVehicle.ts';
import { dismissedListings } from './dismissedListings.ts';

interface Interesting {
  readonly vehicle: InterestingVehicle | undefined;
  readonly dismiss: () => void;
}

/**
 * The vehicle of the still-interested alert, looked for with each search that
 * has results and when the tab comes back; never for bots or without the flag
 * (B4-ALERT-01..03, B6-ROLE-04). Whoever dismisses one has had enough of them:
 * no other follows on this page. What fails is logged only (A8-ERR-08).
 */
export function useInterestingVehicle(): Interesting {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const isBot = usePageState(({ session }) => session.isBot);
  const isOn = usePageState(selectFlag('stillInterested'));
  const hasResults = usePageState(({ search }) => search.totalResultCount > 0);
  const requestId = usePageState(({ search }) => search.requestId);
  const isSettled = usePageState(({ search }) => search.status === 'ready');
  const [vehicle, setVehicle] = useState<InterestingVehicle>();
  const [isDismissed, setDismissed] = useState(false);
  const [visits, setVisits] = useState(0);
  const mayLook = isOn && !isBot && hasResults && isSettled && !vehicle && !isDismissed;
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setVisits((count) => count + 1);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (!mayLook) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    findInterestingVehicle({ call, brand, signal, now: Date.now() }).then(
      (found) => !signal.aborted && setVehicle(found),
      (error: unknown) => {
        if (!signal.aborted)
          emit('problem.reported', { code: 'BROWSING_HISTORY_FAILED', message: String(error) });
      },
    );
    return () => controller.abort();
  }, [mayLook, requestId, visits, call, emit, brand]);
  const dismiss = () => {
    if (vehicle) dismissedListings.add(vehicle.listing.id);
    setDismissed(true);
    setVehicle(undefined);
  };
  return { vehicle: isOn && hasResults ? vehicle : undefined, dismiss };
}
