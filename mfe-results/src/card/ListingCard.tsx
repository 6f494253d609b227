import { memo, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import type { RootState } from '@forecourt/search/state';
import { viewedListingsStorage } from '@forecourt/search/storage';
import { detailUrl } from '@forecourt/search/url';
import { useEmit } from '@forecourt/slots';
import { VisuallyHidden } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { moveToFront, rememberCard } from '../browser/resultCards.ts';
import { CardActions, SaveControl } from './CardActions.tsx';
import { sellerText, titleParts, vehicleFacts } from '../listing/facts.ts';
import { priceLines } from '../listing/price.ts';
import { CardPicture, useCardGallery } from './CardPicture.tsx';
import { type ListingCardProps, clickTypeOf } from './cardState.ts';
import styles from './ListingCard.module.css';
import { CardHighlights } from './CardHighlights.tsx';

/** The middle button opens a tab; the right one only opens a menu. */
const MIDDLE_BUTTON = 1;

/** One vehicle: its title is a link, actions are separate targets. */
function Card(props: ListingCardProps): ReactNode {
  const { listing, owner, kind, position, page } = props;
  const emit = useEmit();
  const store = useStore<RootState>();
  const gallery = useCardGallery(listing);
  const [name, trim] = titleParts(listing);
  const follow = () => {
    moveToFront(viewedListingsStorage, listing.id);
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
      aria-label={trim ? `${name} ${trim}` : name}
      data-listing={listing.id}
      {...gallery.handlers}
    >
      <CardPicture {...props} gallery={gallery} />
      <div className={styles['body']}>
        <h3>
          <a
            className={trim ? styles['lines'] : styles['whole']}
            href={detailUrl(listing, clickTypeOf(kind))}
            onClick={follow}
            onKeyDown={gallery.onKeyDown}
            onAuxClick={({ button }) => button === MIDDLE_BUTTON && follow()}
          >
            {trim ? `${name}\n${trim}` : name}
          </a>
        </h3>
        <CardPrice {...props} />
        <p className={styles['facts']}>{vehicleFacts(listing).join(' · ')}</p>
        <CardHighlights listing={listing} />
        <CardSeller listing={listing} owner={owner} />
        <CardActions {...props} />
      </div>
      {props.canSave && <SaveControl id={listing.id} title={listing.title} isSaved={props.isSaved} />}
    </article>
  );
}

/** Name, rating and place in one line. */
function CardSeller({ listing, owner }: { listing: Listing; owner: Owner | undefined }): ReactNode {
  const { name, distance, place, rating } = sellerText(listing, owner);
  return (
    <p className={styles['seller']}>
      <span>{name}</span>
      {rating && (
        <span
          aria-label={`Rated ${rating.value} out of 5 by ${rating.count} ${rating.count === '1' ? 'shopper' : 'shoppers'}`}
          role="img"
        >
          {`★ ${rating.value} (${rating.count})`}
        </span>
      )}
      <span>{distance ?? place}</span>
    </p>
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

/** Price, previous price, and the payment while payments are on. */
function CardPrice({ listing, hasPayments, hasPaymentsPopover, terms }: ListingCardProps): ReactNode {
  const emit = useEmit();
  const { current, previous, payment } = priceLines(listing, {
    payments: hasPayments,
    ...(terms && { terms }),
  });
  return (
    <p className={styles['price']}>
      <strong>{current}</strong>
      {previous && (
        <s>
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
