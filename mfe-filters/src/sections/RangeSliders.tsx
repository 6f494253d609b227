import { useState, type ReactNode } from 'react';
import styles from './RangeSliders.module.css';
import { useIsNoScript } from '../search/NoScript.tsx';
import type { Bounds } from './useBounds.ts';

export interface RangeSlidersProps {
  readonly label: string;
  readonly lowest: number;
  readonly highest: number;
  readonly step: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** A bound moved to the end of the range becomes open; an unmoved one keeps its value, even outside the range. */
  readonly onCommit: (bounds: Bounds) => void;
}

/** Two native range inputs over one track, committed on release. A form submits the text fields instead. */
export function RangeSliders(props: RangeSlidersProps): ReactNode {
  const { label, lowest, highest, step, min, max, format, onCommit } = props;
  const committed = { min: min ?? lowest, max: max ?? highest };
  const [dragged, setDragged] = useState<{ min: number; max: number } | null>(null);
  const isNoScript = useIsNoScript();
  const currentBounds = dragged ?? committed;
  const clamp = (value: number) => Math.min(highest, Math.max(lowest, value));
  const commit = () => {
    if (!dragged) return;
    setDragged(null);
    if (dragged.min === committed.min && dragged.max === committed.max) return;
    onCommit({
      min: dragged.min === committed.min ? min : dragged.min > lowest ? dragged.min : undefined,
      max: dragged.max === committed.max ? max : dragged.max < highest ? dragged.max : undefined,
    });
  };
  if (isNoScript) return null;
  const thumb = (bound: 'min' | 'max') => (
    <input
      className={styles['thumb']}
      type="range"
      aria-label={`${bound === 'min' ? 'Minimum' : 'Maximum'} ${label}`}
      aria-valuetext={format(currentBounds[bound])}
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
