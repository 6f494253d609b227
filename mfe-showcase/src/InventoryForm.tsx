import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { type ReactNode, useId } from 'react';
import styles from './InventoryForm.module.css';
import { SponsorLine } from './SponsorLine.tsx';
import { distanceText, mileageText, primaryImage } from './VehicleTile.tsx';
import { searchHref, sponsorCriteria } from './context.ts';
import { VehicleCarousel } from './VehicleCarousel.tsx';

export interface FormProps {
  readonly owner: Owner;
  readonly listings: readonly Listing[];
  /** The searched criteria that the first listing misses. */
  readonly missing: ReactNode;
  readonly hideButton: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onClickListing: (listingId?: string) => void;
}

/** One listing of the dealer in a line, with a carousel that opens below it. */
export function InventoryForm(props: FormProps): ReactNode {
  const { owner, listings, missing, hideButton, onClickListing, isOpen, onToggle } = props;
  const criteria = usePageState(({ search }) => search.criteria);
  const carouselId = useId();
  const contentId = useId();
  const [listing] = listings;
  if (!listing) return null;
  const image = primaryImage(listing);
  return (
    <>
      <SponsorLine
        picture={
          image && (
            <img className={styles['picture']} src={image.src} alt="" width={80} height={60} loading="lazy" />
          )
        }
        name={<span className={styles['name']}>{owner.name}</span>}
        where={distanceText(owner) ?? ''}
        contentId={contentId}
        content={
          <>
            <h2 className={styles['title']}>
              <a href={detailUrl(listing, 'alpha')} onClick={() => onClickListing(listing.id)}>
                {listing.title}
              </a>
            </h2>
            <p className={styles['facts']}>
              <strong>{formatPrice(listing.pricingDetail.derivedPrice)}</strong> {mileageText(listing)}
            </p>
            {missing}
          </>
        }
        isOpen={isOpen}
        toggle={{
          words: isOpen ? 'Hide Vehicles' : 'View Vehicles',
          controls: isOpen ? carouselId : undefined,
          isSmallOnly: false,
          onToggle,
        }}
        withoutScripts={
          <a className={styles['all']} href={searchHref(sponsorCriteria(criteria, owner.id))}>
            View All Cars
          </a>
        }
        hideButton={hideButton}
      />
      {isOpen && (
        <VehicleCarousel id={carouselId} owner={owner} listings={listings} onClickListing={onClickListing} />
      )}
    </>
  );
}
