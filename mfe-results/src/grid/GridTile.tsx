import { type ReactNode, useRef, useMemo, type CSSProperties } from 'react';
import type { Listing, Owner, SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { SlotOutlet, useEmit } from '@forecourt/shared-contracts/slots';
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
import { type GridItem, type VehicleTile, isRow, isVehicle } from './tiles.ts';
import notes from './NoteTile.module.css';
import joined from './GridTile.later.module.css';
import styles from './ResultsGrid.module.css';
import { useIdle, Loaded } from '../browser/lazyLoading.tsx';
import carouselStyles from './SpotlightCarousel.later.module.css';
import { EAGER_IMAGES, SNAPSHOT_WIDTHS } from '../constants.ts';
import { addFilters, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectSearch, SearchLink } from '../search/SearchLink.tsx';
import { buttonClass, Button } from '@forecourt/shared-contracts/ui';
import {
  formatNumber,
  affordablePrice,
  formatDollars,
  formatPercent,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
} from '@forecourt/shared-contracts/rules';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { unbroken, primaryPicture } from '../listing/facts.ts';
import { monthlyBudget, paymentSnapshots, termsOf } from '../listing/price.ts';
import walletStyles from './WalletTile.module.css';

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

/** Limited, so that the tile doesn't become a second list of results. */
const SNAPSHOTS = 6;

/** Widths of the payment snapshots (B9-GRID-13, AMB-137). */
const WIDTHS = {
  '--snapshot-small': `${SNAPSHOT_WIDTHS.small}%`,
  '--snapshot-otherwise': `${SNAPSHOT_WIDTHS.otherwise}%`,
} as CSSProperties;

/** '10% down, 72 months, 6.99% APR' (AMB-112). */
const EXAMPLE_TERMS = `${formatPercent(PAYMENT_DOWN_SHARE)} down, ${PAYMENT_TERM_MONTHS} months, ${formatPercent(PAYMENT_APR_PERCENT / 100)} APR`;

/** Vehicles that fit the visitor's budget, or an example budget (B2-GRID-05). */
function WalletTile(): ReactNode {
  const emit = useEmit();
  const wallet = usePageState(({ session }) => session.wallet);
  const listings = usePageState(({ search }) => search.listings);
  const snapshots = useMemo(() => paymentSnapshots(listings, wallet, SNAPSHOTS), [listings, wallet]);
  const budget = monthlyBudget(wallet);
  const open = () => {
    emit('page.tracked', { kind: 'click', name: 'wallet', tile: 'wallet' });
    emit('dialog.requested', { name: 'wallet' });
  };
  return (
    <section className={`${notes['note']} ${walletStyles['tile']}`} aria-label="My wallet">
      <div className={walletStyles['budget']}>
        <p className={notes['kicker']}>{wallet ? 'Your budget' : 'My wallet'}</p>
        <h3 className={notes['title']}>{`${formatDollars(budget)} per month`}</h3>
        <p className={notes['text']}>
          {`covers a vehicle priced around ${formatDollars(affordablePrice(budget, termsOf(wallet)))}.`}
        </p>
        {!wallet && <p className={notes['text']}>{`Example: ${EXAMPLE_TERMS}.`}</p>}
      </div>
      {snapshots.length > 0 && (
        <ul className={walletStyles['snapshots']} aria-label="Estimated payments" style={WIDTHS}>
          {snapshots.map(({ listing, monthly }) => (
            <li key={listing.id} className={walletStyles['snapshot']}>
              <SnapshotPicture listing={listing} />
              <p>
                <strong className={walletStyles['monthly']}>{`${formatDollars(monthly)}/mo`}</strong>
                <a href={detailUrl(listing, 'listing')}>{unbroken(listing.title)}</a>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Button look="primary" className={`${notes['action']} ${walletStyles['action']}`} onClick={open}>
        {wallet ? 'Change my budget' : 'Set my budget'}
      </Button>
    </section>
  );
}

/** Decorative: the title is next to it. */
function SnapshotPicture({ listing }: { listing: Listing }): ReactNode {
  const picture = primaryPicture(listing);
  return (
    picture && (
      <img
        className={walletStyles['picture']}
        src={picture.src}
        alt=""
        width={160}
        height={120}
        loading="lazy"
        decoding="async"
      />
    )
  );
}
