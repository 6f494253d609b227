import {
  type CSSProperties,
  type ReactNode,
  useRef,
  useState,
  type KeyboardEvent,
  type TouchEvent,
} from 'react';
import { useEmit } from '@forecourt/slots';
import { iconClass, VisuallyHidden } from '@forecourt/slots/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing } from '@forecourt/upstream/entities';
import { StepButtons } from '../browser/StepButtons.tsx';
import { type Picture, variantsOf, orderedPictures } from '../listing/facts.ts';
import { isNamedByCondition, ProgramButton, programsOf } from './CardHighlights.tsx';
import { type ListingCardProps, isSponsored } from './cardState.ts';
import styles from './CardPicture.module.css';
import stepStyles from './CardPicture.later.module.css';

/** px of a horizontal swipe; less is a tap. */
const SWIPE = 36;

/** The pictures of a card. */
interface CardGallery {
  readonly pictures: readonly Picture[];
  /** Index of the one that is shown. */
  readonly at: number;
  /** How many are in the document: one until the shopper turns to the card, then always the next one too. */
  readonly mounted: number;
  /** The pointer or focus is in the card. */
  readonly isActive: boolean;
  readonly show: (at: number) => void;
  readonly handlers: {
    onPointerEnter?: () => void;
    onFocus?: () => void;
    onTouchStart?: (event: TouchEvent) => void;
    onTouchEnd?: (event: TouchEvent) => void;
  };
  readonly onKeyDown: ((event: KeyboardEvent) => void) | undefined;
}

/**
 * Lets the shopper look through a card's pictures by swipe, buttons and arrow keys. A page of cards renders one
 * picture each; the others are loaded when they are about to be seen.
 */
export function useCardGallery(listing: Listing): CardGallery {
  const pictures = orderedPictures(listing);
  const [state, setState] = useState({ at: 0, mounted: 1, isActive: false });
  const start = useRef<readonly [x: number, y: number]>(undefined);
  const last = pictures.length - 1;
  const at = Math.min(state.at, Math.max(0, last));
  if (last < 1)
    return {
      pictures,
      ...state,
      at,
      isActive: false,
      show: () => undefined,
      handlers: {},
      onKeyDown: undefined,
    };

  const activate = () => setState((now) => (now.isActive ? now : { ...now, mounted: 2, isActive: true }));
  const show = (next: number) => {
    const target = Math.max(0, Math.min(last, next));
    setState((now) => ({ at: target, mounted: Math.max(now.mounted, target + 2), isActive: true }));
  };
  return {
    pictures,
    ...state,
    at,
    show,
    handlers: {
      onPointerEnter: activate,
      onFocus: activate,
      onTouchStart({ touches }) {
        const touch = touches[0];
        start.current = touch ? [touch.clientX, touch.clientY] : undefined;
      },
      onTouchEnd({ changedTouches }) {
        const touch = changedTouches[0];
        if (!touch || !start.current) return;
        const [across, down] = [touch.clientX - start.current[0], touch.clientY - start.current[1]];
        start.current = undefined;
        if (Math.abs(across) >= SWIPE && Math.abs(across) > 2 * Math.abs(down))
          show(at + (across < 0 ? 1 : -1));
      },
    },
    onKeyDown(event) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(at + step);
    },
  };
}

/** Widths of a card at the breakpoints of the grid (ResultsGrid.module.css). */
const SIZES = '(min-width: 1200px) 340px, (min-width: 768px) 46vw, 96vw';

/** What the styles draw a dot for each picture from. */
const dotsOf = ({ pictures, at }: CardGallery): CSSProperties | undefined =>
  pictures.length > 1
    ? ({ '--count': pictures.length, '--at': at || undefined } as CSSProperties)
    : undefined;

/** The pictures of a card, with its badges. */
export function CardPicture(props: ListingCardProps & { gallery: CardGallery }): ReactNode {
  const { listing, kind, gallery } = props;
  const { pictures } = gallery;
  return (
    <div className={styles['picture']} style={dotsOf(gallery)}>
      {pictures.length > 0 ? <Pictures {...props} /> : <p className={styles['noImage']}>No picture yet</p>}
      {gallery.isActive && <Controls gallery={gallery} />}
      <Condition listing={listing} isSponsored={isSponsored(kind)} />
      {listing.fyuseId && <SpinMarker listingId={listing.id} title={listing.title} />}
    </div>
  );
}

/** New, used or certified, which opens its program, and whether the place is paid. */
function Condition(props: { listing: Listing; isSponsored: boolean }): ReactNode {
  const { listing } = props;
  const condition = LISTING_TYPE_LABELS[listing.listingType];
  const hasProgram = isNamedByCondition(listing) && programsOf(listing).length > 0;
  if (!hasProgram && !props.isSponsored) return <p className={styles['badge']}>{condition}</p>;
  return (
    <p className={styles['badge']} data-condition={hasProgram ? condition : undefined}>
      {hasProgram && (
        <ProgramButton listing={listing} className={styles['named']}>
          {condition}
        </ProgramButton>
      )}
      {`${hasProgram ? '' : condition}${props.isSponsored ? ' · ' : ''}`}
      {props.isSponsored && <span>Sponsored</span>}
    </p>
  );
}

/** The mounted pictures on top of each other; one is visible. */
function Pictures({ gallery, isEager, position }: ListingCardProps & { gallery: CardGallery }): ReactNode {
  const { pictures, at, mounted } = gallery;
  const [first] = pictures;
  return (
    <>
      {first?.preview && (
        <img
          className={styles['preview']}
          src={`data:image/webp;base64,${first.preview}`}
          alt=""
          style={{ backgroundColor: first.color }}
        />
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
  const { src, alt } = picture;
  // A color behind the first one would cover its preview.
  const color = picture.preview ? undefined : picture.color;
  return (
    <img
      className={isShown ? styles['image'] : `${styles['image']} ${styles['hidden']}`}
      src={src}
      {...variantsOf(picture, SIZES)}
      alt={alt}
      loading={loading}
      fetchPriority={fetchPriority}
      {...(color && { style: { backgroundColor: color } })}
    />
  );
}

/** While the pointer or focus is in the card. */
function Controls({ gallery: { pictures, at, show } }: { gallery: CardGallery }): ReactNode {
  return (
    <>
      <StepButtons current={at} total={pictures.length} styles={stepStyles} onShow={show} />
      <VisuallyHidden>
        <span role="status">{at > 0 ? `Picture ${at + 1} of ${pictures.length}` : ''}</span>
      </VisuallyHidden>
    </>
  );
}

/** Opens the 360° view of a vehicle; a label without JavaScript. */
function SpinMarker({ listingId, title }: { listingId: string; title: string }): ReactNode {
  const emit = useEmit();
  const open = () => {
    emit('page.tracked', { kind: 'click', name: 'spin', listingId });
    emit('listing.spinRequested', { listingId, title });
  };
  return (
    <p className={styles['spin']}>
      <button
        type="button"
        className={`${styles['spinButton']} ${iconClass('turn', 16)}`}
        aria-haspopup="dialog"
        onClick={open}
      >
        360°
        <VisuallyHidden>{` view of ${title}`}</VisuallyHidden>
      </button>
    </p>
  );
}
