import type { ReactNode } from 'react';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { iconClass, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { type Picture, variantsOf } from '../listing/pictures.ts';
import { dealText } from '../listing/price.ts';
import { type ListingCardProps, isSponsored } from './cardState.ts';
import type { CardGallery } from './useCardGallery.ts';
import cardStyles from './ListingCard.module.css';
import styles from './CardPicture.module.css';
import markerStyles from './SpinMarker.module.css';

/** Widths of a card at the breakpoints of the grid (ResultsGrid.module.css). */
const SIZES = '(min-width: 1200px) 340px, (min-width: 768px) 46vw, 96vw';

/** The pictures of a card, with its badges. */
export function CardPicture(props: ListingCardProps & { gallery: CardGallery }): ReactNode {
  const { listing, kind, gallery } = props;
  const deal = dealText(listing);
  const { pictures } = gallery;
  return (
    <div className={styles['picture']}>
      {pictures.length > 0 ? <Pictures {...props} /> : <p className={styles['noImage']}>No picture yet</p>}
      {pictures.length > 1 && <Controls gallery={gallery} />}
      <p className={styles['badges']}>
        <span className={cardStyles['badge']}>{LISTING_TYPE_LABELS[listing.listingType]}</span>{' '}
        {deal && <span className={`${cardStyles['badge']} ${cardStyles['deal']}`}>{deal}</span>}
      </p>
      {(isSponsored(kind) || listing.fyuseId) && (
        <p className={styles['labels']}>
          {isSponsored(kind) && <span className={cardStyles['badge']}>Sponsored</span>}{' '}
          {listing.fyuseId && <SpinMarker listingId={listing.id} title={listing.title} />}
        </p>
      )}
    </div>
  );
}

/** The mounted pictures on top of each other; one is visible. */
function Pictures({ gallery, isEager, position }: ListingCardProps & { gallery: CardGallery }): ReactNode {
  const { pictures, at, mounted } = gallery;
  const [first] = pictures;
  return (
    <>
      {first?.preview && (
        <img className={styles['preview']} src={`data:image/webp;base64,${first.preview}`} alt="" />
      )}
      {pictures.slice(0, mounted).map((picture, index) => (
        <CardImage
          key={picture.src}
          picture={picture}
          isShown={index === at}
          loading={isEager || index > 0 ? 'eager' : 'lazy'}
          // Only the first is a phone's largest contentful paint; the others would compete for bandwidth.
          fetchPriority={isEager && position === 0 && index === 0 ? 'high' : undefined}
        />
      ))}
    </>
  );
}

function CardImage(props: {
  picture: Picture;
  isShown: boolean;
  loading: 'eager' | 'lazy';
  fetchPriority: 'high' | undefined;
}): ReactNode {
  const { picture, isShown, loading, fetchPriority } = props;
  const { src, alt, color } = picture;
  return (
    <img
      className={isShown ? styles['image'] : `${styles['image']} ${styles['hidden']}`}
      src={src}
      {...variantsOf(picture, SIZES)}
      alt={alt}
      width={640}
      height={480}
      loading={loading}
      fetchPriority={fetchPriority}
      decoding="async"
      {...(color && { style: { backgroundColor: color } })}
    />
  );
}

/** Dots and, while the pointer or focus is in the card, buttons. */
function Controls({ gallery: { pictures, at, isActive, show } }: { gallery: CardGallery }): ReactNode {
  return (
    <>
      <span
        className={styles['dots']}
        style={{ '--count': pictures.length, '--at': at } as React.CSSProperties}
      />
      {isActive && (
        <>
          <StepButton label="Previous picture" isDisabled={at === 0} onStep={() => show(at - 1)} />
          <StepButton
            label="Next picture"
            isForward
            isDisabled={at === pictures.length - 1}
            onStep={() => show(at + 1)}
          />
          <VisuallyHidden>
            <span role="status">{at > 0 ? `Picture ${at + 1} of ${pictures.length}` : ''}</span>
          </VisuallyHidden>
        </>
      )}
    </>
  );
}

function StepButton(props: {
  label: string;
  isForward?: boolean;
  isDisabled: boolean;
  onStep: () => void;
}): ReactNode {
  const { label, isForward = false, isDisabled, onStep } = props;
  return (
    <button
      type="button"
      className={`${styles['step']} ${isForward ? styles['next'] : styles['previous']} ${iconClass(isForward ? 'arrowRight' : 'arrowLeft', 18)}`}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={onStep}
    />
  );
}

/** Opens the 360° view of a vehicle (A3-LISTING-08); a label without JavaScript. */
function SpinMarker({ listingId, title }: { listingId: string; title: string }): ReactNode {
  const emit = useEmit();
  const open = () => {
    emit('page.tracked', { kind: 'click', name: 'spin', listingId });
    emit('listing.spinRequested', { listingId, title });
  };
  return (
    <span className={markerStyles['place']}>
      <button
        type="button"
        className={`${markerStyles['marker']} ${iconClass('turn', 16)}`}
        aria-haspopup="dialog"
        onClick={open}
      >
        360° view
        <VisuallyHidden>{` of ${title}`}</VisuallyHidden>
      </button>
    </span>
  );
}
