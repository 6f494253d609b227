import { type ReactNode, useState } from 'react';
import { formatPrice } from '@forecourt/search/payments';
import { selectSession } from '@forecourt/search/state';
import { detailUrl } from '@forecourt/search/url';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button, buttonClass, iconClass, VisuallyHidden } from '@forecourt/slots/ui';
import { compareUrl } from '../compare/comparedVehicle.ts';
import { COMPARE_CAPACITY } from '../constants.ts';
import { primaryPicture } from '../listing/facts.ts';
import type { VehicleWithSeller } from '../vehicle/VehicleCards.tsx';
import styles from './CompareActions.module.css';

/** Sends the page's address by the device's own means, or copies it. */
export function ShareComparison(): ReactNode {
  const emit = useEmit();
  const [outcome, setOutcome] = useState('');
  const tell = (message: string) => {
    setOutcome(message);
    emit('page.announced', { message });
  };
  const share = async () => {
    const { href } = window.location;
    try {
      if (navigator.share) await navigator.share({ title: document.title, url: href });
      else {
        await navigator.clipboard.writeText(href);
        tell('Link copied.');
      }
    } catch (error) {
      // The shopper closed the device's dialog.
      if ((error as { name?: unknown } | undefined)?.name === 'AbortError') return;
      tell('Copy the address of this page to share it.');
    }
  };
  return (
    <span className={styles['share']}>
      <Button className={iconClass('share')} onClick={() => void share()}>
        Share
      </Button>
      <span>{outcome}</span>
    </span>
  );
}

/** The heart of a compared vehicle. */
export function SaveVehicle(props: { id: string; title: string; className: string | undefined }): ReactNode {
  const { id, title, className } = props;
  const emit = useEmit();
  const { flags, savedListingIds } = usePageState(selectSession);
  if (!flags['saveListing']) return null;
  const isSaved = savedListingIds.includes(id);
  return (
    <button
      type="button"
      className={`${className} ${styles['save']} ${iconClass(isSaved ? 'heartFilled' : 'heart', 16)}`}
      aria-pressed={isSaved}
      data-saves={id}
      onClick={() => emit('listing.saveRequested', { listingId: id })}
    >
      {isSaved ? 'Saved' : 'Save'}
      <VisuallyHidden>{` ${title}`}</VisuallyHidden>
    </button>
  );
}

/** Similar vehicles, each with a link to the comparison with it, while there is room. */
export function AddVehicles(props: {
  comparedIds: readonly string[];
  vehicles: readonly VehicleWithSeller[];
}): ReactNode {
  const { comparedIds, vehicles } = props;
  if (comparedIds.length === 0 || comparedIds.length >= COMPARE_CAPACITY) return null;
  return (
    <section className={styles['add']} aria-labelledby="add-title">
      <h2 id="add-title">Add a vehicle</h2>
      {vehicles.length > 0 && (
        <ul>
          {vehicles.map(({ listing }) => {
            const picture = primaryPicture(listing);
            return (
              <li key={listing.id}>
                {picture && (
                  <img src={picture.src} alt="" width={160} height={120} loading="lazy" decoding="async" />
                )}
                <p>
                  <a href={detailUrl(listing, 'similar')}>{listing.title}</a>
                  <br />
                  {formatPrice(listing.pricingDetail.derivedPrice)}
                </p>
                <a
                  className={buttonClass('secondary')}
                  href={compareUrl([...comparedIds, listing.id])}
                  rel="nofollow"
                  data-add
                >
                  Add<VisuallyHidden>{` ${listing.title}`}</VisuallyHidden>
                </a>
              </li>
            );
          })}
        </ul>
      )}
      <p>
        <a href="/cars-for-sale/all-cars">Choose from all vehicles</a>
      </p>
    </section>
  );
}
