import { useState, type ReactNode } from 'react';
import styles from './RangeSliders.module.css';
import { useIsNoScript } from '../search/NoScript.tsx';
import type { Bounds } from './useBounds.ts';

export interface RangeSlidersProps {
  readonly label: string;
  readonly lowest: number;
  readonly highest: number;
  readonly step: number;
  /** There are values below the lowest, or above the highest. */
  readonly isOpenStart?: boolean | undefined;
  readonly isOpenEnd?: boolean | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** A bound moved to the end of the range becomes open; an unmoved one keeps its value, even outside the range. */
  readonly onCommit: (bounds: Bounds) => void;
}

/** Two native range inputs over one track, committed on release. A form submits the text fields instead. */
export function RangeSliders(props: RangeSlidersProps): ReactNode {
  const { label, lowest, highest, step, min, max, format, onCommit } = props;
  const committedBounds = { min: min ?? lowest, max: max ?? highest };
  const [draggedBounds, setDragged] = useState<{ min: number; max: number } | null>(null);
  const isNoScript = useIsNoScript();
  const currentBounds = draggedBounds ?? committedBounds;
  const clamp = (value: number) => Math.min(highest, Math.max(lowest, value));
  const commit = () => {
    if (!draggedBounds) return;
    setDragged(null);
    if (draggedBounds.min === committedBounds.min && draggedBounds.max === committedBounds.max) return;
    onCommit({
      min:
        draggedBounds.min === committedBounds.min
          ? min
          : draggedBounds.min > lowest
            ? draggedBounds.min
            : undefined,
      max:
        draggedBounds.max === committedBounds.max
          ? max
          : draggedBounds.max < highest
            ? draggedBounds.max
            : undefined,
    });
  };
  if (isNoScript) return null;
  const { isOpenStart, isOpenEnd } = props;
  /** '$120,000+' at an open end. */
  const textOf = (value: number): string => {
    if (isOpenEnd && value === highest) return `${format(highest)}+`;
    return isOpenStart && value === lowest ? `${format(lowest)} or less` : format(value);
  };
  const thumb = (bound: 'min' | 'max') => (
    <input
      className={styles['thumb']}
      type="range"
      aria-label={`${bound === 'min' ? 'Minimum' : 'Maximum'} ${label}`}
      aria-valuetext={textOf(currentBounds[bound])}
      min={lowest}
      max={highest}
      step={step}
      value={clamp(currentBounds[bound])}
      onChange={(event) => {
        const value = Number(event.target.value);
        // Keep the thumbs one step apart: an empty or reversed range has no results.
        setDragged(
          bound === 'min'
            ? { ...currentBounds, min: Math.min(value, Math.max(lowest, currentBounds.max - step)) }
            : { ...currentBounds, max: Math.max(value, Math.min(highest, currentBounds.min + step)) },
        );
      }}
      onPointerUp={commit}
      onKeyUp={commit}
      onBlur={commit}
    />
  );
  return (
    <div className={styles['sliders']}>
      {thumb('min')}
      {thumb('max')}
    </div>
  );
}
