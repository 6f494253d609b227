import { type ReactNode, useRef } from 'react';
import type { SearchState } from '@forecourt/search/state';
import type { Listing } from '@forecourt/upstream/entities';
import { ListingCard } from '../card/ListingCard.tsx';
import { marksOf, useCardMarks, useCardOptions } from '../card/cardState.ts';
import { useImpression } from '../browser/resultCards.ts';
import { useIdle, Loaded } from '../browser/lazyLoading.tsx';
import styles from './SpotlightCarousel.later.module.css';
import { EAGER_IMAGES } from '../constants.ts';

/** In the chunk with everything else that loads when the page is idle. */
const loadArrows = () =>
  import(/* webpackChunkName: "below-results" */ './CarouselArrows.tsx').then(
    ({ CarouselArrows }) => CarouselArrows,
  );

/** Premium spotlights in one row that scrolls sideways; arrows need JavaScript. */
export function SpotlightCarousel(props: {
  listings: readonly Listing[];
  owners: SearchState['owners'];
}): ReactNode {
  const { listings, owners } = props;
  const list = useRef<HTMLUListElement>(null);
  const isIdle = useIdle();
  return (
    <section className={styles['carousel']} aria-label="Sponsored vehicles">
      <ul ref={list} className={styles['list']}>
        {listings.map((listing, position) => (
          <CarouselCard
            key={listing.id}
            listing={listing}
            owner={owners[listing.ownerId]}
            position={position}
          />
        ))}
      </ul>
      <Loaded load={loadArrows} isLoadRequested={isIdle} props={{ list }} />
    </section>
  );
}

function CarouselCard(props: {
  listing: Listing;
  owner: SearchState['owners'][string] | undefined;
  position: number;
}): ReactNode {
  const { listing, position } = props;
  const options = useCardOptions();
  const marks = useCardMarks();
  const ref = useImpression('carousel', listing.id, position);
  return (
    <li ref={ref} className={styles['item']} data-tile="carousel-vehicle">
      <ListingCard
        {...props}
        {...options}
        {...marksOf(marks, listing.id)}
        kind="carousel"
        isEager={position < EAGER_IMAGES}
      />
    </li>
  );
}
