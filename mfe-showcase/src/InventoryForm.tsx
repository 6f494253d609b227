import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Icon } from '@forecourt/shared-contracts/ui';
import styles from './InventoryForm.module.css';
import {
  distanceText,
  joinFacts,
  mileageText,
  priceText,
  primaryImage,
  VehicleTile,
} from './VehicleTile.tsx';
import { searchHref, sponsorCriteria } from './context.ts';
import { ALPHA_CAROUSEL_MAX } from '@forecourt/shared-contracts/rules';
import carouselStyles from './VehicleCarousel.module.css';

export interface FormProps {
  readonly owner: Owner;
  readonly listings: readonly Listing[];
  readonly hideButton: ReactNode;
  readonly onClickListing: (listingId?: string) => void;
}

/** One listing of the dealer in a line of fixed height, with a carousel that opens below it (B2-ALPHA-02, B4-ALPHA-05). */
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
            <strong>{priceText(listing)}</strong> {mileageText(listing)}
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

/** Scroll position of the list; a list that fits is at both ends. */
function endsOf(list: HTMLElement): { atStart: boolean; atEnd: boolean } {
  // Zoomed screens leave fractions of a pixel at the end.
  return { atStart: list.scrollLeft <= 1, atEnd: list.scrollLeft + list.clientWidth >= list.scrollWidth - 1 };
}

/** At most twelve vehicles of the sponsor in a horizontally scrolling list, with buttons and arrow keys (B9-ALPHA-01). */
function VehicleCarousel(props: {
  id: string;
  owner: Owner;
  listings: readonly Listing[];
  onClickListing: (listingId: string) => void;
}): ReactNode {
  const { id, owner, onClickListing } = props;
  const listings = props.listings.slice(0, ALPHA_CAROUSEL_MAX);
  const listRef = useRef<HTMLUListElement>(null);
  const [scrollEnds, setEnds] = useState({ atStart: true, atEnd: false });
  const measure = () => {
    if (!listRef.current) return;
    const { atStart, atEnd } = endsOf(listRef.current);
    setEnds((last) => (last.atStart === atStart && last.atEnd === atEnd ? last : { atStart, atEnd }));
  };
  useEffect(() => {
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [listings.length]);

  const scrollByPage = (direction: 1 | -1) => {
    const list = listRef.current;
    list?.scrollBy({ left: direction * list.clientWidth * 0.9 });
  };
  const moveFocus = (event: KeyboardEvent<HTMLAnchorElement>, at: number) => {
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: listings.length - 1 }[event.key];
    const link = target === undefined ? undefined : listRef.current?.children[target]?.querySelector('a');
    if (!link) return;
    event.preventDefault();
    link.focus();
  };
  const arrow = (direction: 1 | -1, label: string, isAtLimit: boolean) => (
    // aria-disabled keeps the focus on the button when it reaches the end.
    <button
      type="button"
      className={direction === 1 ? carouselStyles['next'] : carouselStyles['previous']}
      aria-label={label}
      aria-disabled={isAtLimit}
      onClick={() => !isAtLimit && scrollByPage(direction)}
    >
      <Icon name={direction === 1 ? 'arrowRight' : 'arrowLeft'} />
    </button>
  );
  return (
    <div id={id} className={carouselStyles['carousel']} role="group" aria-label={`Vehicles of ${owner.name}`}>
      {arrow(-1, 'Previous vehicles', scrollEnds.atStart)}
      <ul ref={listRef} className={carouselStyles['list']} onScroll={measure}>
        {listings.map((listing, at) => (
          <li key={listing.id} className={carouselStyles['item']}>
            <VehicleTile
              listing={listing}
              onClick={() => onClickListing(listing.id)}
              onKeyDown={(event) => moveFocus(event, at)}
            />
          </li>
        ))}
      </ul>
      {arrow(1, 'Next vehicles', scrollEnds.atEnd)}
    </div>
  );
}
