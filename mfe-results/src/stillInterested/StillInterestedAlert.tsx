import { formatPrice } from '@forecourt/search/payments';
import { selectSession } from '@forecourt/search/state';
import { viewedListingsStorage } from '@forecourt/search/storage';
import { detailUrl } from '@forecourt/search/url';
import { useEmit, usePageState } from '@forecourt/slots';
import type { CallBodies } from '@forecourt/upstream/calls';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { primaryPicture } from '../listing/facts.ts';
import { focusResults, moveToFront } from '../browser/resultCards.ts';
import { type InterestingVehicle, reasonText } from './findVehicle.ts';
import styles from './StillInterestedAlert.later.module.css';
import { type CornerPlacement, CornerCard } from './CornerCard.tsx';

type StillInterested = CallBodies['stillInterested'];

const SECONDARY_BUTTON = 2;

export function StillInterestedAlert(
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
    moveToFront(viewedListingsStorage, id);
    emit('listing.viewed', { listingId: id });
    emit('page.tracked', { kind: 'click', name: 'stillInterested', listingId: id });
    if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    onOpened();
    focusResults();
  };
  return (
    <CornerCard
      {...placement}
      title="Still interested?"
      pictureUrl={primaryPicture(listing)?.src}
      onClose={onDismiss}
    >
      <p>
        <a href={detailUrl(listing, 'alert')} onClick={follow} onAuxClick={follow}>
          {title}
        </a>
      </p>
      <p className={styles['reason']}>
        <strong>{formatPrice(listing.pricingDetail.derivedPrice)}</strong>
        {` · ${text}`}
      </p>
    </CornerCard>
  );
}

const STILL_INTERESTED_PATH = '/cars-for-sale/still-interested/alert';

/**
 * Reports the shown vehicle, even while the page unloads. The shell adds the consumer id, which pages never
 * receive.
 */
function sendAlertBeacon(alert: Omit<StillInterested, 'consumer_id'>): void {
  const body: StillInterested = { ...alert, consumer_id: '' };
  navigator.sendBeacon(STILL_INTERESTED_PATH, new Blob([JSON.stringify(body)], { type: 'application/json' }));
}
