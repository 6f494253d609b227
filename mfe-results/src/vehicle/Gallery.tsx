import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { Icon } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import { Loaded } from '../browser/lazyLoading.tsx';
import { StepButtons } from '../browser/StepButtons.tsx';
import { variantsOf } from '../listing/facts.ts';
// The page links the styles of its slots only; those of the lazy viewer have to be among them.
import './FullScreenGallery.module.css';
import styles from './Gallery.module.css';

/** Widths of the stage (Vehicle.module.css). */
const STAGE_SIZES = '(min-width: 1024px) 60vw, 100vw';

const isReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves a stage of `total` pictures that scrolls sideways, and follows it when the shopper scrolls it. */
function useStage(total: number) {
  const stageRef = useRef<HTMLUListElement>(null);
  const [currentIndex, setShown] = useState(0);
  // Index of the picture that a programmatic scroll leads to. In Chromium, a scroll that starts during
  // another one ends some pixels off, so it jumps instead and is corrected at its end.
  const target = useRef<number>(undefined);
  const scrollTo = (picture: number, behavior: ScrollBehavior) => {
    const stage = stageRef.current;
    stage?.scrollTo({ left: picture * stage.clientWidth, behavior });
  };
  const follow = () => {
    const stage = stageRef.current;
    if (stage) setShown(Math.round(stage.scrollLeft / (stage.clientWidth || 1)));
  };
  // The browser restores the scroll position of a restored page.
  useEffect(follow, []);
  return {
    stageRef,
    shown: currentIndex,
    show: (picture: number) => {
      const next = Math.min(total - 1, Math.max(0, picture));
      if (next === currentIndex && target.current === undefined) return;
      const behavior = target.current !== undefined || isReducedMotion() ? 'instant' : 'smooth';
      target.current = next;
      scrollTo(next, behavior);
      setShown(next);
    },
    onManualScroll: () => {
      target.current = undefined;
    },
    onScrollEnd: () => {
      if (target.current !== undefined) scrollTo(target.current, 'instant');
      target.current = undefined;
      follow();
    },
  };
}

const loadViewer = () => import('./FullScreenGallery.tsx').then(({ FullScreenGallery }) => FullScreenGallery);

/** A vehicle's pictures. Without JavaScript they scroll, and the thumbnails are links to them. */
export function Gallery({ listing }: { listing: Listing }): ReactNode {
  const { title } = listing;
  const { sources } = listing.images;
  const { stageRef, shown: currentIndex, show, onManualScroll, onScrollEnd } = useStage(sources.length);
  /** Index of the picture at which the full screen opened. */
  const [viewer, setViewer] = useState<number>();
  if (sources.length === 0)
    return (
      <div className={`${styles['gallery']} ${styles['none']}`}>
        <p>The seller hasn’t added pictures yet.</p>
      </div>
    );
  const openViewer = () => setViewer(currentIndex);
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === stageRef.current) return openViewer();
    const next = {
      ArrowRight: currentIndex + 1,
      ArrowLeft: currentIndex - 1,
      Home: 0,
      End: sources.length - 1,
    }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(next);
  };
  return (
    <section className={styles['gallery']} aria-label={`Pictures of the ${title}`}>
      <div className={styles['stage']}>
        {/* Focusable, so that it can be scrolled with the keyboard. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul
          ref={stageRef}
          className={styles['pictures']}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label="Pictures, scroll sideways"
          onKeyDown={step}
          onClick={({ target }) => target instanceof HTMLImageElement && openViewer()}
          onPointerDown={onManualScroll}
          onWheel={onManualScroll}
          onScrollEnd={onScrollEnd}
        >
          <Pictures sources={sources} />
        </ul>
        {sources.length > 1 && (
          <StepButtons current={currentIndex} total={sources.length} styles={styles} onShow={show} />
        )}
        <button type="button" className={styles['fullScreen']} aria-haspopup="dialog" onClick={openViewer}>
          Full screen
        </button>
        {listing.fyuseId && <SpinButton listing={listing} />}
        <p className={styles['count']} aria-hidden="true">
          <span data-picture>{currentIndex + 1}</span>
          {` / ${sources.length}`}
        </p>
      </div>
      {viewer !== undefined && (
        <Loaded
          load={loadViewer}
          isLoadRequested
          props={{
            listing,
            start: viewer,
            onClose: (picture) => {
              setViewer(undefined);
              show(picture);
            },
          }}
        />
      )}
      {sources.length > 1 && <Thumbnails sources={sources} currentIndex={currentIndex} onChoose={show} />}
    </section>
  );
}

const Pictures = ({ sources }: { sources: Listing['images']['sources'] }): ReactNode =>
  sources.map((picture, at) => (
    <li key={`${at} ${picture.src}`} id={`picture-${at + 1}`}>
      <img
        src={picture.src}
        {...variantsOf(picture, STAGE_SIZES)}
        alt={picture.alt}
        width={960}
        height={720}
        {...(at === 0
          ? { fetchPriority: 'high' as const }
          : { loading: 'lazy' as const, decoding: 'async' as const })}
        {...(picture.color && { style: { backgroundColor: picture.color } })}
      />
    </li>
  ));

function SpinButton({ listing: { id, title } }: { listing: Listing }): ReactNode {
  const emit = useEmit();
  return (
    <button
      type="button"
      className={styles['spin']}
      aria-haspopup="dialog"
      onClick={() => emit('listing.spinRequested', { listingId: id, title })}
    >
      <Icon name="turn" /> 360° view
    </button>
  );
}

function Thumbnails(props: {
  sources: Listing['images']['sources'];
  currentIndex: number;
  onChoose: (picture: number) => void;
}): ReactNode {
  const { sources, currentIndex, onChoose } = props;
  const choose = (event: MouseEvent, picture: number) => {
    event.preventDefault();
    onChoose(picture);
  };
  return (
    <ol className={styles['thumbnails']}>
      {sources.map((picture, at) => (
        <li key={`${at} ${picture.src}`}>
          <a
            href={`#picture-${at + 1}`}
            aria-label={`Picture ${at + 1} of ${sources.length}`}
            aria-current={at === currentIndex || undefined}
            onClick={(event) => choose(event, at)}
          >
            <img
              src={picture.src}
              {...variantsOf(picture, '84px')}
              alt=""
              width={96}
              height={72}
              loading="lazy"
              decoding="async"
            />
          </a>
        </li>
      ))}
    </ol>
  );
}
