import { memo, useId, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { detailUrl } from '@forecourt/shared-contracts/url';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { browserStorage, type RootState } from '@forecourt/shared-contracts/store';
import { Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { moveToFront, rememberCard } from '../browser/resultCards.ts';
import { CardActions } from './CardActions.tsx';
import { sellerText, factsLine, titleParts, serviceText, tileText } from '../listing/facts.ts';
import { priceText } from '../listing/price.ts';
import { CardPicture, useCardGallery } from './CardPicture.tsx';
import { type ListingCardProps, clickTypeOf } from './cardState.ts';
import styles from './ListingCard.module.css';
import skeletonStyles from './CardSkeleton.later.module.css';
import extrasStyles from './CardExtras.module.css';
import { formatCount, formatDollars } from '@forecourt/shared-contracts/rules';
import { MAX_CERTIFIED_TILES } from '../constants.ts';

/** Why a highlighted listing is urgent; undefined for unknown reasons (AMB-035). */
export function urgencyText({ vehicleHighlight }: Listing): string | undefined {
  const value = vehicleHighlight?.urgencyDriverValue;
  if (!vehicleHighlight?.isVehicleHighlight || value === undefined) return undefined;
  switch (vehicleHighlight.urgencyDriverType) {
    case 'PRICE_DROP':
      return `Price dropped ${formatDollars(value)}`;
    case 'HIGH_INTEREST':
      return `${formatCount(value, 'person is', 'people are')} viewing this`;
    case 'NEW_LISTING':
      return value === 0 ? 'New today' : `Listed ${formatCount(value, 'day')} ago`;
    default:
      return undefined;
  }
}

/** Short remarks between price and facts, most important first (A3-LISTING-06, A3-LISTING-07). */
export function remarks(listing: Listing): readonly string[] {
  return [
    urgencyText(listing),
    listing.isHot ? 'In demand' : undefined,
    listing.hasSpecialOffer ? 'Special offer' : undefined,
  ].filter((remark): remark is string => remark !== undefined);
}

type ProductTile = Listing['productTiles'][number];

/** A card's product tiles, at most two of them CERTIFIED (B9-MISC-01, AMB-036). */
function shownTiles(tiles: readonly ProductTile[]): readonly ProductTile[] {
  let certified = 0;
  return tiles.filter(({ tileType }) => tileType !== 'CERTIFIED' || ++certified <= MAX_CERTIFIED_TILES);
}

/**
 * Optional details: remarks, certified and history tiles, services, and the dealer's tagline. They fill the
 * room between facts and seller, so that a card never moves its neighbors.
 */
function CardExtras({ listing, owner }: { listing: Listing; owner: Owner | undefined }): ReactNode {
  const emit = useEmit();
  const { id, certifiedProduct, title } = listing;
  const notes = remarks(listing);
  const tiles = shownTiles(listing.productTiles);
  const services = serviceText(owner, tiles.map(tileText));
  const openProgram = () =>
    emit('dialog.requested', {
      name: 'certifiedProgram',
      listingId: id,
      ...(certifiedProduct && { productId: certifiedProduct }),
    });
  return (
    <div className={extrasStyles['extras']}>
      {notes.length > 0 && <p className={extrasStyles['remarks']}>{notes.join(' · ')}</p>}
      {tiles.length > 0 && (
        <ul className={extrasStyles['tiles']} aria-label="Highlights">
          {tiles.map((tile) => {
            const key = `${tile.tileType} ${tile.tileSubType}`;
            return tile.tileType === 'CERTIFIED' ? (
              <li key={key}>
                <button
                  type="button"
                  className={extrasStyles['program']}
                  aria-label={`${tileText(tile)} of ${title}`}
                  onClick={openProgram}
                >
                  <ProgramTile tile={tile} />
                </button>
              </li>
            ) : (
              <li key={key} className={extrasStyles['pill']}>
                {tileText(tile)}
              </li>
            );
          })}
        </ul>
      )}
      {services && <p className={extrasStyles['services']}>{services}</p>}
      {owner?.dealerDiff && (
        <button
          type="button"
          className={extrasStyles['difference']}
          aria-label={`${owner.dealerDiff.tagline}: more about ${owner.name}`}
          onClick={() =>
            emit('dialog.requested', { name: 'dealerDifference', listingId: id, ownerId: owner.id })
          }
        >
          {owner.dealerDiff.tagline}
        </button>
      )}
    </div>
  );
}

/** A certified program's picture, or its label without one. */
const ProgramTile = ({ tile }: { tile: ProductTile }): ReactNode =>
  tile.image ? (
    <img
      className={extrasStyles['tile']}
      src={tile.image}
      alt={tileText(tile)}
      width={110}
      height={22}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={extrasStyles['pill']}>{tileText(tile)}</span>
  );

/** The middle button opens a tab; the right one only opens a menu. */
const MIDDLE_BUTTON = 1;

/** One vehicle (AMB-034): its title is a link, actions are separate targets. */
function Card(props: ListingCardProps): ReactNode {
  const { listing, owner, kind, position, page } = props;
  const emit = useEmit();
  const store = useStore<RootState>();
  const titleId = useId();
  const gallery = useCardGallery(listing);
  const [name, trim] = titleParts(listing);
  const follow = () => {
    moveToFront(browserStorage.viewedListings, listing.id);
    if (page !== undefined) {
      const { firstLoadedRecord, criteria } = store.getState().search;
      rememberCard('openedCard', listing.id, firstLoadedRecord + page * criteria.numRecords);
    }
    emit('listing.viewed', { listingId: listing.id });
    emit('page.tracked', { kind: 'click', name: 'listing', listingId: listing.id, tile: kind, position });
  };
  return (
    <article
      className={styles['card']}
      aria-labelledby={titleId}
      data-listing={listing.id}
      {...gallery.handlers}
    >
      <CardPicture {...props} gallery={gallery} />
      <div className={styles['body']}>
        <h3 id={titleId} className={styles['title']}>
          <a
            className={styles['link']}
            href={detailUrl(listing, clickTypeOf(kind))}
            onClick={follow}
            onKeyDown={gallery.onKeyDown}
            onAuxClick={({ button }) => button === MIDDLE_BUTTON && follow()}
          >
            <span className={trim ? styles['name'] : styles['whole']}>{name}</span>
            {trim && ' '}
            {trim && <span className={styles['trim']}>{trim}</span>}
          </a>
        </h3>
        <CardPrice {...props} />
        <p className={styles['facts']}>{factsLine(listing)}</p>
        <CardExtras listing={listing} owner={owner} />
        <CardSeller listing={listing} owner={owner} />
        <CardActions {...props} />
      </div>
    </article>
  );
}

function CardSeller({ listing, owner }: { listing: Listing; owner: Owner | undefined }): ReactNode {
  const { name, distance, place, rating } = sellerText(listing, owner);
  return (
    <div className={styles['seller']}>
      <p className={styles['sellerName']}>{name}</p>
      {rating && (
        <p
          className={styles['rating']}
          aria-label={`Rated ${rating.value} of 5 by ${rating.count}`}
          role="img"
        >
          <Icon name="starFilled" size={14} />
          {`${rating.value} (${rating.count})`}
        </p>
      )}
      <p className={styles['place']}>{[distance, place].filter(Boolean).join(' · ')}</p>
    </div>
  );
}

/** A new response may contain the same seller as a new object, which needs no repaint. */
export const isSameOwner = (before: Owner | undefined, owner: Owner | undefined): boolean =>
  before === owner || (before?.id === owner?.id && before?.distanceFromSearch === owner?.distanceFromSearch);

export const ListingCard = memo(Card, (before, after) => {
  const { owner: oldOwner, ...beforeProps } = before;
  const { owner, ...now } = after;
  return (
    isSameOwner(oldOwner, owner) &&
    Object.entries(now).every(([prop, value]) => beforeProps[prop as keyof typeof beforeProps] === value)
  );
});

/** Price, previous price, and the payment while payments are on (B4-PANEL-15). */
function CardPrice({ listing, hasPayments, hasPaymentsPopover, terms }: ListingCardProps): ReactNode {
  const emit = useEmit();
  const { current, previous, payment } = priceText(listing, {
    payments: hasPayments,
    ...(terms && { terms }),
  });
  return (
    <p className={styles['price']}>
      <strong className={styles['current']}>{current}</strong>
      {previous && (
        <s className={styles['previous']}>
          <VisuallyHidden>was </VisuallyHidden>
          {previous}
        </s>
      )}
      {payment &&
        (hasPaymentsPopover ? (
          <button
            type="button"
            className={`${styles['payment']} ${styles['terms']}`}
            aria-label={`${payment}, change the terms`}
            onClick={() => emit('dialog.requested', { name: 'wallet', listingId: listing.id })}
          >
            {payment}
          </button>
        ) : (
          <span className={styles['payment']}>{payment}</span>
        ))}
    </p>
  );
}

/** Placeholder of a loading card: a single element, because a whole page of them mounts at once. */
export const CardSkeleton = (): ReactNode => <div className={skeletonStyles['card']} />;
