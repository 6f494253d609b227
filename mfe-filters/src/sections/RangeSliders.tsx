import { useState, type ReactNode } from 'react';
import { useIsNoScript } from '../search/NoScript.tsx';
import type { Bounds } from './useBounds.ts';
import styles from './RangeSliders.later.module.css';

interface RangeSlidersProps {
  readonly label: string;
  readonly lowest: number;
  readonly highest: number;
  readonly step: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** A bound moved to the end of the range is open; one that was not moved stays, also outside of it. */
  readonly onCommit: (bounds: Bounds) => void;
}

/**
 * Two native ranges over one track. They move freely while dragged and commit
 * on release; the text fields beside them are what a form sends.
 */
export function RangeSliders(props: RangeSlidersProps): ReactNode {
  const { label, lowest, highest, step, min, max, format, onCommit } = props;
  const settled = { min: min ?? lowest, max: max ?? highest };
  const [dragged, setDragged] = useState<{ min: number; max: number } | null>(null);
  const isNoScript = useIsNoScript();
  const shown = dragged ?? settled;
  const clamp = (value: number) => Math.min(highest, Math.max(lowest, value));
  const commit = () => {
    if (!dragged) return;
    setDragged(null);
    if (dragged.min === settled.min && dragged.max === settled.max) return;
    onCommit({
      min: dragged.min === settled.min ? min : dragged.min > lowest ? dragged.min : undefined,
      max: dragged.max === settled.max ? max : dragged.max < highest ? dragged.max : undefined,
    });
  };
  if (isNoScript) return null;
  const thumb = (bound: 'min' | 'max') => (
    <input
      className={styles['thumb']}
      type="range"
      aria-label={`${bound === 'min' ? 'Minimum' : 'Maximum'} ${label}`}
      aria-valuetext={format(shown[bound])}
      min={lowest}
      max={highest}
      step={step}
      value={clamp(shown[bound])}
      onChange={(event) => {
        const value = Number(event.target.value);
        // The thumbs keep a step between them: an empty or reversed range asks for nothing.
        setDragged(
          bound === 'min'
            ? { ...shown, min: Math.min(value, Math.max(lowest, shown.max - step)) }
            : { ...shown, max: Math.max(value, Math.min(highest, shown.min + step)) },
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
