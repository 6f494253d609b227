import { type ReactNode, useRef } from 'react';
import type { Listing, Owner, SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { SlotOutlet } from '@forecourt/shared-contracts/slots';
import { type SearchState, usePageState } from '@forecourt/shared-contracts/store';
import { LeaderboardAd, PeekabooAd, TileAd } from '../ads/AdPlace.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import {
  type CardMarks,
  type CardOptions,
  marksOf,
  useCardMarks,
  useCardOptions,
} from '../card/cardState.ts';
import { useImpression } from '../browser/resultCards.ts';
import { WalletTile } from './WalletTile.tsx';
import { type GridItem, type VehicleTile, isRow, isVehicle } from './tiles.ts';
import notes from './NoteTile.module.css';
import joined from './GridTile.later.module.css';
import styles from './ResultsGrid.module.css';
import { useIdle, Loaded } from '../browser/lazyLoading.tsx';
import carouselStyles from './SpotlightCarousel.later.module.css';
import { EAGER_IMAGES } from '../constants.ts';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectSearch, SearchLink } from '../search/SearchLink.tsx';
import { buttonClass } from '@forecourt/shared-contracts/ui';
import { formatNumber } from '@forecourt/shared-contracts/rules';

export interface GridTileProps {
  readonly item: GridItem;
  readonly owners: SearchState['owners'];
  readonly options: CardOptions;
  readonly marks: CardMarks;
}

/** One item of the grid's list. */
export function GridTile({ item, owners, options, marks }: GridTileProps): ReactNode {
  if (isVehicle(item))
    return <Vehicle item={item} owner={owners[item.listing.ownerId]} options={options} marks={marks} />;
  const { kind } = item;
  const classes = [
    isRow(item) && styles['row'],
    item.joinsRow && joined[item.joinsRow],
    kind === 'capture' && styles['scripted'],
  ];
  return (
    <div role="listitem" className={classes.filter(Boolean).join(' ') || undefined} data-tile={kind}>
      <Content item={item} owners={owners} />
    </div>
  );
}

function Content({ item, owners }: { item: Exclude<GridItem, VehicleTile>; owners: SearchState['owners'] }) {
  switch (item.kind) {
    case 'ad':
      return <TileAd slot={`grid-tile-${item.ad + 1}`} />;
    case 'adRow':
      return <LeaderboardAd slot={`grid-row-${item.ad + 1}`} kind="standard" />;
    case 'carousel':
      return <SpotlightCarousel listings={item.listings} owners={owners} />;
    case 'wallet':
      return <WalletTile />;
    case 'promo':
      return <PromoCard />;
    case 'peekaboo':
      return <PeekabooAd />;
    case 'capture':
      return <SlotOutlet name="email-capture" className={notes['capture'] ?? ''} />;
  }
}

function Vehicle(props: {
  item: VehicleTile;
  owner: Owner | undefined;
  options: CardOptions;
  marks: CardMarks;
}): ReactNode {
  const { item, owner, options, marks } = props;
  const { kind, listing, position, isEager } = item;
  const ref = useImpression(kind, listing.id, position);
  return (
    <div role="listitem" ref={ref} className={item.joinsRow && joined[item.joinsRow]} data-tile={kind}>
      <ListingCard
        listing={listing}
        owner={owner}
        kind={kind}
        position={position}
        page={item.page}
        isEager={isEager}
        {...options}
        {...marksOf(marks, listing.id)}
      />
    </div>
  );
}

/** In the chunk with everything else that loads when the page is idle. */
const loadArrows = () =>
  import(/* webpackChunkName: "below-results" */ './CarouselArrows.tsx').then(
    ({ CarouselArrows }) => CarouselArrows,
  );

/** Premium spotlights in one row that scrolls sideways (AMB-135); arrows need JavaScript. */
function SpotlightCarousel(props: {
  listings: readonly Listing[];
  owners: SearchState['owners'];
}): ReactNode {
  const { listings, owners } = props;
  const list = useRef<HTMLUListElement>(null);
  const isIdle = useIdle();
  return (
    <section className={carouselStyles['carousel']} aria-label="Sponsored vehicles">
      <ul ref={list} className={carouselStyles['list']}>
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
    <li ref={ref} className={carouselStyles['item']} data-tile="carousel-vehicle">
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

/** Suggests one filter between the results (B2-PROMO-01). */
function PromoCard(): ReactNode {
  const { criteria, suggestions } = usePageState(selectSearch);
  const filter = promotedFilter(suggestions.filters, criteria);
  if (!filter) return null;
  const { name, count, codes } = filter;
  return (
    <section className={notes['note']} aria-label="Suggestion">
      <p className={notes['kicker']}>Narrow it down</p>
      <h3 className={notes['title']}>{name}</h3>
      <p className={notes['text']}>
        {`${formatNumber(count)} of these ${count === 1 ? 'vehicles fits' : 'vehicles fit'}.`}
      </p>
      <SearchLink
        criteria={addFilters(criteria, codes)}
        cause="promo"
        className={buttonClass('secondary', notes['action'])}
      >
        {`Show only ${name}`}
      </SearchLink>
    </section>
  );
}

/** The first suggested filter that is not set yet. */
export const promotedFilter = (
  suggestions: readonly SuggestedFilter[],
  { filters }: Pick<SearchCriteria, 'filters'>,
): SuggestedFilter | undefined =>
  suggestions.find(({ codes }) =>
    Object.entries(codes).some(([param, values]) =>
      values.some((value) => !filters[param as FilterParam]?.includes(value)),
    ),
  );
