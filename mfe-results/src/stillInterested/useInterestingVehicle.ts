import { useCallback, useEffect, useRef, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { browserStorage, selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { keepId } from '../browser/leftCard.ts';
import { dismissedListings, type FetchedHistory } from './alertStorage.ts';
import { findInterestingVehicle, type InterestingVehicle } from './findVehicle.ts';

interface Interesting {
  readonly vehicle: InterestingVehicle | undefined;
  readonly dismiss: () => void;
  /** Looks for another vehicle where this one was opened, or dismissed in another tab. */
  readonly lookAgain: () => void;
}

/** A vehicle that still waits for the shopper, or none (AMB-032, B4-ALERT-02). */
function waiting(vehicle: InterestingVehicle | undefined): InterestingVehicle | undefined {
  const id = vehicle?.listing.id;
  return id && [...browserStorage.viewedListings.read(), ...dismissedListings.read()].includes(id)
    ? undefined
    : vehicle;
}

/**
 * The vehicle of the still-interested alert, looked for with each search that
 * has results and when the tab, or the page by Back, comes back; never for bots or without the flag
 * (B4-ALERT-01..03, B6-ROLE-04). Whoever dismisses one has had enough of them:
 * no other follows on this page. What fails is logged only (A8-ERR-08).
 */
export function useInterestingVehicle(isWanted: boolean): Interesting {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const isBot = usePageState(({ session }) => session.isBot);
  const isOn = usePageState(selectFlag('stillInterested')) && isWanted;
  const hasResults = usePageState(({ search }) => search.totalResultCount > 0);
  const requestId = usePageState(({ search }) => search.requestId);
  const isSettled = usePageState(({ search }) => search.status === 'ready');
  const [vehicle, setVehicle] = useState<InterestingVehicle>();
  const [isDismissed, setDismissed] = useState(false);
  const [visits, setVisits] = useState(0);
  const asked = useRef<Promise<FetchedHistory>>(undefined);
  const mayLook = isOn && !isBot && hasResults && isSettled && !vehicle && !isDismissed;
  const lookAgain = useCallback(() => {
    setVehicle(waiting);
    setVisits((count) => count + 1);
  }, []);
  useEffect(() => {
    const comeBack = () => document.visibilityState === 'visible' && lookAgain();
    const restore = ({ persisted }: PageTransitionEvent) => persisted && lookAgain();
    document.addEventListener('visibilitychange', comeBack);
    window.addEventListener('pageshow', restore);
    return () => {
      document.removeEventListener('visibilitychange', comeBack);
      window.removeEventListener('pageshow', restore);
    };
  }, [lookAgain]);
  useEffect(() => {
    if (!mayLook) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    findInterestingVehicle({ call, brand, signal, now: Date.now(), asked }).then(
      (found) => !signal.aborted && setVehicle(found),
      (error: unknown) => {
        if (!signal.aborted)
          emit('problem.reported', { code: 'BROWSING_HISTORY_FAILED', message: String(error) });
      },
    );
    return () => controller.abort();
  }, [mayLook, requestId, visits, call, emit, brand]);
  const dismiss = () => {
    if (vehicle) keepId(dismissedListings, vehicle.listing.id);
    setDismissed(true);
    setVehicle(undefined);
  };
  return { vehicle: isOn && hasResults ? vehicle : undefined, dismiss, lookAgain };
}
