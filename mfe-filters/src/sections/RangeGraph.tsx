import { useState, type ReactNode } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import styles from './RangeGraph.later.module.css';
import { useIsNoScript } from '../search/links.tsx';
import type { Bounds } from './BoundField.tsx';

const HEIGHT = 48;
const GAP = 0.15;

interface HistogramProps {
  readonly histogram: NonNullable<Filter['histogram']>;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** E.g. 'Price'. */
  readonly label: string;
}

/** Distribution of the results over a range; bars within the selected bounds are highlighted. */
function Histogram({ histogram, min, max, format, label }: HistogramProps): ReactNode {
  const { counts, step } = histogram;
  const maxCount = Math.max(1, ...counts);
  const peak = counts.indexOf(maxCount);
  const startOf = (bar: number) => histogram.min + bar * step;
  const isInside = (bar: number) =>
    (min === undefined || startOf(bar + 1) > min) && (max === undefined || startOf(bar) <= max);
  const peakText =
    peak < 0
      ? ''
      : `, most often ${format(startOf(peak))}${step > 1 ? ` to ${format(startOf(peak + 1))}` : ''}`;
  return (
    <svg
      className={styles['histogram']}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} of the results: ${format(histogram.min)} to ${format(histogram.max)}${peakText}`}
    >
      {counts.map((count, bar) => {
        // Square root scale: keeps small counts visible next to large ones.
        const height =
          count === 0 ? 0 : Math.max(1.5, Math.round(Math.sqrt(count / maxCount) * HEIGHT * 10) / 10);
        return (
          <rect
            key={startOf(bar)}
            className={isInside(bar) ? styles['inside'] : styles['outside']}
            x={bar + GAP / 2}
            y={HEIGHT - height}
            width={1 - GAP}
            height={height}
          />
        );
      })}
    </svg>
  );
}

interface RangeSlidersProps {
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

interface RangeGraphProps extends Pick<RangeSlidersProps, 'step' | 'min' | 'max' | 'format' | 'onCommit'> {
  readonly histogram: NonNullable<Filter['histogram']>;
  /** E.g. 'Price'. */
  readonly label: string;
}

/** A histogram with two sliders below it. */
export function RangeGraph({ histogram, label, ...range }: RangeGraphProps): ReactNode {
  const { min, max, format } = range;
  return (
    <>
      <Histogram histogram={histogram} min={min} max={max} format={format} label={label} />
      <RangeSliders label={label.toLowerCase()} lowest={histogram.min} highest={histogram.max} {...range} />
    </>
  );
}
