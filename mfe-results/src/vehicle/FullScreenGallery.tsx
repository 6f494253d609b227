import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useCloseOnBack } from '@forecourt/slots';
import { Icon } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import { StepButtons } from '../browser/StepButtons.tsx';
import { variantsOf } from '../listing/facts.ts';
import styles from './FullScreenGallery.module.css';

/** Width of a zoomed picture in widths of the window, as in the style sheet. */
const ZOOM = 2.5;

/** px that a pointer may move in a click, and that it must move sideways in a swipe. */
const CLICK_TOLERANCE = 6;
const SWIPE = 50;

/** The zoom of one picture, which pans by scrolling: natively by touch and keyboard, by dragging with a mouse. */
function useZoom(picture: number, onSwipe: (step: 1 | -1) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoomed, setZoomed] = useState<{ picture: number; x: number; y: number }>();
  const isZoomed = zoomed?.picture === picture;
  const drag = useRef<{ start: number; x: number; y: number; moved: number }>(undefined);
  useEffect(() => {
    const box = frame.current;
    if (!box || zoomed?.picture !== picture) return;
    box.scrollTo({
      left: zoomed.x * box.scrollWidth - box.clientWidth / 2,
      top: zoomed.y * box.scrollHeight - box.clientHeight / 2,
      behavior: 'instant',
    });
  }, [zoomed, picture]);
  /** Zooms in on a point in shares of the picture, or out. */
  const toggle = (x = 0.5, y = 0.5) => setZoomed(isZoomed ? undefined : { picture, x, y });
  const pointer = {
    onPointerDown: ({ clientX, clientY }: PointerEvent) => {
      drag.current = { start: clientX, x: clientX, y: clientY, moved: 0 };
    },
    onPointerMove: ({ clientX, clientY, pointerType, buttons }: PointerEvent) => {
      const last = drag.current;
      if (!last || buttons === 0) return;
      const [dx, dy] = [clientX - last.x, clientY - last.y];
      drag.current = { ...last, x: clientX, y: clientY, moved: last.moved + Math.abs(dx) + Math.abs(dy) };
      if (isZoomed && pointerType === 'mouse')
        frame.current?.scrollBy({ left: -dx, top: -dy, behavior: 'instant' });
    },
    onPointerUp: ({ clientX, clientY, target }: PointerEvent) => {
      const { moved = Infinity, start = clientX } = drag.current ?? {};
      drag.current = undefined;
      if (!isZoomed && Math.abs(clientX - start) > SWIPE) return onSwipe(clientX < start ? 1 : -1);
      if (moved > CLICK_TOLERANCE || !(target instanceof HTMLImageElement)) return;
      const { left, top, width, height } = target.getBoundingClientRect();
      toggle((clientX - left) / width, (clientY - top) / height);
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
  };
  return { frame, isZoomed, toggle, pointer };
}

function press(
  event: KeyboardEvent,
  viewer: {
    current: number;
    total: number;
    isZoomed: boolean;
    show: (picture: number) => void;
    toggle: () => void;
  },
): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { current, total, isZoomed, show, toggle } = viewer;
  const actions: Readonly<Record<string, () => void>> = {
    // Arrow keys pan a zoomed picture.
    ...(!isZoomed && { ArrowRight: () => show(current + 1), ArrowLeft: () => show(current - 1) }),
    Home: () => show(0),
    End: () => show(total - 1),
    ...(isZoomed ? { '-': () => toggle() } : { '+': () => toggle() }),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/**
 * The pictures one by one over the whole window. Arrow keys, Home and End change the picture, + and - zoom; Escape and
 * Back close it, at the picture shown last.
 */
export function FullScreenGallery(props: {
  listing: Listing;
  /** Index of the first shown picture. */
  start: number;
  onClose: (picture: number) => void;
}): ReactNode {
  const { listing, start, onClose } = props;
  const { sources } = listing.images;
  const dialog = useRef<HTMLDialogElement>(null);
  const [current, setCurrent] = useState(start);
  const show = (next: number) => setCurrent(Math.min(sources.length - 1, Math.max(0, next)));
  const { frame, isZoomed, toggle, pointer } = useZoom(current, (step) => show(current + step));
  const close = () => onClose(current);
  useCloseOnBack(true, close);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const picture = sources[current];
  if (!picture) return null;
  return (
    <dialog
      ref={dialog}
      className={styles['viewer']}
      aria-label={`Pictures of the ${listing.title}, full screen`}
      onKeyDown={(event) => press(event, { current, total: sources.length, isZoomed, show, toggle })}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div
        ref={frame}
        className={`${styles['frame']} ${isZoomed ? styles['zoomed'] : ''}`}
        // A zoomed picture is scrolled by keyboard.
        {...(isZoomed && { tabIndex: 0, role: 'group', 'aria-label': 'Zoomed picture, scroll to pan' })}
        {...pointer}
      >
        <img
          key={picture.src}
          src={picture.src}
          {...variantsOf(picture, isZoomed ? `${ZOOM * 100}vw` : '100vw')}
          alt={picture.alt}
          draggable={false}
          {...(picture.color && { style: { backgroundColor: picture.color } })}
        />
      </div>
      <Controls
        current={current}
        total={sources.length}
        isZoomed={isZoomed}
        onZoom={() => toggle()}
        onShow={show}
        onClose={close}
      />
    </dialog>
  );
}

function Controls(props: {
  current: number;
  total: number;
  isZoomed: boolean;
  onZoom: () => void;
  onShow: (picture: number) => void;
  onClose: () => void;
}): ReactNode {
  const { current, total, isZoomed, onZoom, onShow, onClose } = props;
  return (
    <>
      <div className={styles['bar']}>
        <p className={styles['count']} aria-live="polite">
          {`${current + 1} of ${total}`}
        </p>
        <button type="button" className={styles['button']} aria-pressed={isZoomed} onClick={onZoom}>
          {isZoomed ? 'Zoom out' : 'Zoom in'}
        </button>
        <button type="button" className={styles['button']} aria-label="Close full screen" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {total > 1 && (
        <StepButtons
          current={current}
          total={total}
          styles={styles}
          noun="full-screen picture"
          onShow={onShow}
        />
      )}
    </>
  );
}
