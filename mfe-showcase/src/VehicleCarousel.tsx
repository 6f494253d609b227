import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '@forecourt/slots/ui';
import { ALPHA_CAROUSEL_MAX } from '@forecourt/upstream/agreements';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { VehicleTile } from './VehicleTile.tsx';
import styles from './VehicleCarousel.module.css';

/** Scroll position of the list; a list that fits is at both ends. */
function endsOf(list: HTMLElement): { atStart: boolean; atEnd: boolean } {
  // Zoomed screens leave fractions of a pixel at the end.
  return { atStart: list.scrollLeft <= 1, atEnd: list.scrollLeft + list.clientWidth >= list.scrollWidth - 1 };
}

/** At most twelve vehicles of the sponsor in a horizontally scrolling list, with buttons and arrow keys. */
export function VehicleCarousel(props: {
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
      className={direction === 1 ? styles['next'] : styles['previous']}
      aria-label={label}
      aria-disabled={isAtLimit}
      onClick={() => !isAtLimit && scrollByPage(direction)}
    >
      <Icon name={direction === 1 ? 'arrowRight' : 'arrowLeft'} />
    </button>
  );
  return (
    <div id={id} className={styles['carousel']} role="group" aria-label={`Vehicles of ${owner.name}`}>
      {arrow(-1, 'Previous vehicles', scrollEnds.atStart)}
      <ul ref={listRef} className={styles['list']} onScroll={measure}>
        {listings.map((listing, at) => (
          <li key={listing.id} className={styles['item']}>
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
