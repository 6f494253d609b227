import { useRef, useState, type KeyboardEvent, type TouchEvent } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { orderedPictures, type Picture } from '../listing/pictures.ts';

/** px of a horizontal swipe; less is a tap. */
const SWIPE = 36;

/** The pictures of a card. */
export interface CardGallery {
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
  if (last < 1) return { pictures, ...state, at, show: () => undefined, handlers: {}, onKeyDown: undefined };

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
