import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState, useCallback } from 'react';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { browserStorage, selectFlag, selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { primaryPicture } from '../listing/facts.ts';
import { priceText } from '../listing/price.ts';
import { focusResults, moveToFront } from '../browser/resultCards.ts';
import {
  type InterestingVehicle,
  findInterestingVehicle,
  notificationDone,
  dismissedListings,
  type FetchedHistory,
  alertBottom,
  reasonText,
} from './findVehicle.ts';
import styles from './CornerCard.later.module.css';
import { STILL_INTERESTED_WIDTH } from '../constants.ts';
import type { CallBodies } from '@forecourt/shared-contracts/calls';

type StillInterested = CallBodies['stillInterested'];

interface InterestingVehicleState {
  readonly vehicle: InterestingVehicle | undefined;
  readonly dismiss: () => void;
  /** Looks for another vehicle after this one was opened, or dismissed in another tab. */
  readonly lookForAnother: () => void;
}

/** The vehicle unless it was opened or dismissed (AMB-032, B4-ALERT-02). */
function unlessViewedOrDismissed(vehicle: InterestingVehicle | undefined): InterestingVehicle | undefined {
  const id = vehicle?.listing.id;
  return id && [...browserStorage.viewedListings.read(), ...dismissedListings.read()].includes(id)
    ? undefined
    : vehicle;
}

/**
 * The vehicle of the still-interested alert. Looked up for each search with results and when the tab becomes
 * visible or is restored; never for bots or without the flag (B4-ALERT-01..03, B6-ROLE-04). After a dismissal
 * the page shows no other one. Failures are only logged (A8-ERR-08).
 */
function useInterestingVehicle(isEnabled: boolean): InterestingVehicleState {
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

const SECONDARY_BUTTON = 2;

/**
 * The alert in the corner of the screen: still-interested, or, once per session, the wallet notification
 * instead (B4-ALERT-09, AMB-115).
 */
export function CornerAlert(placement: CornerPlacement): ReactNode {
  const hasNotification = usePageState(selectFlag('walletNotification'));
  const [isDone, setDone] = useState(notificationDone.read);
  const { vehicle, dismiss, lookForAnother } = useInterestingVehicle(!(hasNotification && isDone));
  if (!vehicle) return null;
  if (!hasNotification)
    return (
      <StillInterestedAlert {...placement} vehicle={vehicle} onDismiss={dismiss} onOpened={lookForAnother} />
    );
  const finish = () => {
    notificationDone.write(true);
    setDone(true);
  };
  return <WalletNotification {...placement} onDone={finish} />;
}

function StillInterestedAlert(
  props: CornerPlacement & {
    vehicle: InterestingVehicle;
    onDismiss: () => void;
    /** Called when the vehicle was opened; this tab may stay open and show another one. */
    onOpened: () => void;
  },
): ReactNode {
  const { vehicle, onDismiss, onOpened, ...placement } = props;
  const { listing, reason, views } = vehicle;
  const { brand, account } = usePageState(selectSession);
  const emit = useEmit();
  const titleId = useId();
  const { id, vin, title } = listing;
  const email = account?.email ?? '';
  const text = reasonText(reason, listing, views);
  useEffect(() => {
    sendAlertBeacon({ brand, vins: [vin], email });
    emit('page.tracked', { kind: 'impression', name: 'stillInterested', listingId: id });
    emit('page.announced', { message: `Still interested in ${title}? ${text}` });
  }, [brand, vin, email, emit, id, title, text]);
  const follow = (event: MouseEvent) => {
    // A right click only opens the context menu.
    if (event.button === SECONDARY_BUTTON) return;
    moveToFront(browserStorage.viewedListings, id);
    emit('listing.viewed', { listingId: id });
    emit('page.tracked', { kind: 'click', name: 'stillInterested', listingId: id });
    if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    onOpened();
    focusResults();
  };
  const picture = primaryPicture(listing);
  return (
    <CornerCard {...placement} titleId={titleId} onClose={onDismiss}>
      {picture && <img className={styles['picture']} src={picture.src} alt="" width={112} height={84} />}
      <div className={styles['words']}>
        <h2 id={titleId} className={styles['title']}>
          Still interested?
        </h2>
        <p>
          <a href={detailUrl(listing, 'alert')} onClick={follow} onAuxClick={follow}>
            {title}
          </a>
        </p>
        <p className={styles['reason']}>
          <strong>{priceText(listing, { payments: false }).current}</strong>
          {` · ${text}`}
        </p>
      </div>
    </CornerCard>
  );
}

/** Invites the shopper to set a monthly budget (AMB-115). `onDone`: closed or followed. */
function WalletNotification({
  onDone,
  ...placement
}: CornerPlacement & { readonly onDone: () => void }): ReactNode {
  const emit = useEmit();
  const titleId = useId();
  useEffect(() => emit('page.tracked', { kind: 'impression', name: 'walletNotification' }), [emit]);
  const open = () => {
    onDone();
    // The dialog returns the focus to the heading, because this button is gone by then.
    focusResults();
    emit('page.tracked', { kind: 'click', name: 'walletNotification' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <CornerCard {...placement} titleId={titleId} onClose={onDone}>
      <div className={styles['words']}>
        <h2 id={titleId} className={styles['title']}>
          My wallet
        </h2>
        <p>Set a monthly budget to see which vehicles fit it.</p>
        <Button look="primary" className={styles['action']} onClick={open}>
          Set budget
        </Button>
      </div>
    </CornerCard>
  );
}

/** (B2-ROUTE-06, B7-STILL-01) */
const STILL_INTERESTED_PATH = '/cars-for-sale/still-interested/alert';

/**
 * Reports the shown vehicle, even while the page unloads. The shell adds the consumer id, which pages never
 * receive.
 */
function sendAlertBeacon(alert: Omit<StillInterested, 'consumer_id'>): void {
  const body: StillInterested = { ...alert, consumer_id: '' };
  navigator.sendBeacon(STILL_INTERESTED_PATH, new Blob([JSON.stringify(body)], { type: 'application/json' }));
}

/** Placement of the card. */
export interface CornerPlacement {
  /** px covered by the fixed ad. */
  readonly adHeight: number;
  /** px of the compare drawer above the ad. */
  readonly bottomOffset: number;
  /** Receives the px that the card covers above the ad and the drawer; 0 when it closes. */
  readonly onCover: (height: number) => void;
}

interface CornerCardProps extends CornerPlacement {
  readonly titleId: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A card in the bottom right corner, above the fixed ad and the compare drawer (B2-ALERT-02, B9-STILL-03). */
function CornerCard(props: CornerCardProps): ReactNode {
  const { adHeight, bottomOffset, onCover, titleId, onClose, children } = props;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => onCover(alertBottom(0) + element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      onCover(0);
    };
  }, [onCover]);
  const close = () => {
    onClose();
    focusResults();
  };
  return (
    <aside
      ref={card}
      className={styles['card']}
      style={{
        inlineSize: `${STILL_INTERESTED_WIDTH}px`,
        insetBlockEnd: `${alertBottom(0)}px`,
        // Translated, so that a changed ad height causes no layout shift.
        translate: `0 ${alertBottom(0) - alertBottom(adHeight) - bottomOffset}px`,
      }}
      aria-labelledby={titleId}
    >
      {children}
      <button type="button" className={styles['close']} aria-label="Dismiss" onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </aside>
  );
}
