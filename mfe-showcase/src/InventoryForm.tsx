import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import { Icon } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { type ReactNode, useId } from 'react';
import styles from './InventoryForm.module.css';
import { distanceText, joinFacts, mileageText, primaryImage } from './VehicleTile.tsx';
import { searchHref, sponsorCriteria } from './context.ts';
import { VehicleCarousel } from './VehicleCarousel.tsx';

export interface FormProps {
  readonly owner: Owner;
  readonly listings: readonly Listing[];
  readonly hideButton: ReactNode;
  readonly onClickListing: (listingId?: string) => void;
}

/** One listing of the dealer in a line of fixed height, with a carousel that opens below it. */
export function InventoryForm(
  props: FormProps & { readonly isOpen: boolean; readonly onToggle: () => void },
): ReactNode {
  const { owner, listings, hideButton, onClickListing, isOpen, onToggle } = props;
  const criteria = usePageState(({ search }) => search.criteria);
  const carouselId = useId();
  const [listing] = listings;
  if (!listing) return null;
  const image = primaryImage(listing);
  return (
    <>
      <div className={styles['line']}>
        {image ? (
          <img className={styles['picture']} src={image.src} alt="" width={80} height={60} decoding="async" />
        ) : (
          <span className={styles['picture']} />
        )}
        <div className={styles['text']}>
          <p className={styles['sponsor']}>
            <span className={styles['label']}>Sponsored</span>{' '}
            <span className={styles['owner']}>{joinFacts(owner.name, distanceText(owner))}</span>
          </p>
          <h2 className={styles['title']}>
            <a href={detailUrl(listing, 'alpha')} onClick={() => onClickListing(listing.id)}>
              {listing.title}
            </a>
          </h2>
          <p className={styles['facts']}>
            <strong>{formatPrice(listing.pricingDetail.derivedPrice)}</strong> {mileageText(listing)}
          </p>
        </div>
        <button
          type="button"
          className={styles['toggle']}
          aria-expanded={isOpen}
          aria-controls={isOpen ? carouselId : undefined}
          onClick={onToggle}
        >
          {isOpen ? 'Hide Vehicles' : 'View Vehicles'}
          <span className={isOpen ? styles['chevronUp'] : styles['chevron']}>
            <Icon name="chevronDown" size={18} />
          </span>
        </button>
        {/* Without JavaScript the carousel can't open; this link shows the same vehicles. */}
        <a className={styles['withoutScripts']} href={searchHref(sponsorCriteria(criteria, owner.id))}>
          View All Cars
        </a>
        {hideButton}
      </div>
      {isOpen && (
        <VehicleCarousel id={carouselId} owner={owner} listings={listings} onClickListing={onClickListing} />
      )}
    </>
  );
}
