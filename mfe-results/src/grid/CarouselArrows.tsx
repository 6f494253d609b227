import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Icon } from '@forecourt/slots/ui';
import styles from './CarouselArrows.later.module.css';

/** px; positions are fractional when the page is zoomed. */
const TOLERANCE = 2;

/** Scrolls a sideways list by one view; the arrow at an end is disabled. */
export function CarouselArrows({ list }: { list: RefObject<HTMLElement | null> }): ReactNode {
  const [scrollEnds, setEnds] = useState({ isFirst: true, isLast: false });
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const updateEnds = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const isFirst = scrollLeft <= TOLERANCE;
      const isLast = scrollLeft + clientWidth >= scrollWidth - TOLERANCE;
      setEnds((before) =>
        before.isFirst === isFirst && before.isLast === isLast ? before : { isFirst, isLast },
      );
    };
    updateEnds();
    element.addEventListener('scroll', updateEnds, { passive: true });
    return () => element.removeEventListener('scroll', updateEnds);
  }, [list]);
  const move = (direction: 1 | -1) => {
    const element = list.current;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element?.scrollBy({ left: direction * element.clientWidth, behavior: isCalm ? 'auto' : 'smooth' });
  };
  return (
    <>
      <button
        type="button"
        className={`${styles['arrow']} ${styles['back']}`}
        aria-label="Previous sponsored vehicles"
        disabled={scrollEnds.isFirst}
        onClick={() => move(-1)}
      >
        <Icon name="arrowLeft" />
      </button>
      <button
        type="button"
        className={`${styles['arrow']} ${styles['on']}`}
        aria-label="Next sponsored vehicles"
        disabled={scrollEnds.isLast}
        onClick={() => move(1)}
      >
        <Icon name="arrowRight" />
      </button>
    </>
  );
}
