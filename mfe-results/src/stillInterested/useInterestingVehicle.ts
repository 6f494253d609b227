import { useEffect, useRef, useState, useCallback } from 'react';
import { selectFlag } from '@forecourt/search/state';
import { viewedListingsStorage } from '@forecourt/search/storage';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { moveToFront } from '../browser/resultCards.ts';
import {
  type InterestingVehicle,
  findInterestingVehicle,
  dismissedListings,
  type FetchedHistory,
} from './findVehicle.ts';

interface InterestingVehicleState {
  readonly vehicle: InterestingVehicle | undefined;
  readonly dismiss: () => void;
  /** Looks for another vehicle after this one was opened, or dismissed in another tab. */
  readonly lookForAnother: () => void;
}

/** The vehicle unless it was opened or dismissed. */
function unlessViewedOrDismissed(vehicle: InterestingVehicle | undefined): InterestingVehicle | undefined {
  const id = vehicle?.listing.id;
  return id && [...viewedListingsStorage.read(), ...dismissedListings.read()].includes(id)
    ? undefined
    : vehicle;
}

/**
 * The vehicle of the still-interested alert. Looked up for each search with results and when the tab becomes
 * visible or is restored; never for bots or without the flag. After a dismissal
 * the page shows no other one. Failures are only logged.
 */
export function useInterestingVehicle(isEnabled: boolean): InterestingVehicleState {
  const { call, emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const isBot = usePageState(({ session }) => session.isBot);
  const isOn = usePageState(selectFlag('stillInterested')) && isEnabled;
  const hasResults = usePageState(({ search }) => search.totalResultCount > 0);
  const requestId = usePageState(({ search }) => search.requestId);
  const isSettled = usePageState(({ search }) => search.status === 'ready');
  const [vehicle, setVehicle] = useState<InterestingVehicle>();
  const [isDismissed, setDismissed] = useState(false);
  const [visits, setVisits] = useState(0);
  const pendingHistory = useRef<Promise<FetchedHistory>>(undefined);
  const canSearch = isOn && !isBot && hasResults && isSettled && !vehicle && !isDismissed;
  const lookForAnother = useCallback(() => {
    setVehicle(unlessViewedOrDismissed);
    setVisits((count) => count + 1);
  }, []);
  useEffect(() => {
    const onVisibilityChange = () => document.visibilityState === 'visible' && lookForAnother();
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && lookForAnother();
    document.addEventListener('visibilitychange', onVisibilityChange);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('pageshow', onPageShow);
    };
  }, [lookForAnother]);
  useEffect(() => {
    if (!canSearch) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    findInterestingVehicle({ call, brand, signal, now: Date.now(), pendingHistory }).then(
      (candidate) => !signal.aborted && setVehicle(candidate),
      (error: unknown) => {
        if (!signal.aborted)
          emit('problem.reported', { code: 'BROWSING_HISTORY_FAILED', message: String(error) });
      },
    );
    return () => controller.abort();
  }, [canSearch, requestId, visits, call, emit, brand]);
  const dismiss = () => {
    if (vehicle) moveToFront(dismissedListings, vehicle.listing.id);
    setDismissed(true);
    setVehicle(undefined);
  };
  return { vehicle: isOn && hasResults ? vehicle : undefined, dismiss, lookForAnother };
}
