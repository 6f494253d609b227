import { type ReactNode, useState } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import styles from './RangeGraph.later.module.css';
import { useIsNoScript } from '../search/NoScript.tsx';
import type { Bounds } from './BoundField.tsx';
const HEIGHT = 48;
const GAP = 0.15;

interface HistogramProps {
  readonly histogram: NonNullable<Filter['histogram']>;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** What is counted, e.g. 'Price'. */
  readonly label: string;
}

/** How the results spread over a range; bars within the chosen bounds are coloured. Its label says where most are. */
export function Histogram({ histogram, min, max, format, label }: HistogramProps): ReactNode {
  const { counts, step } = histogram;
  const most = Math.max(1, ...counts);
  const peak = counts.indexOf(most);
  const from = (bar: number) => histogram.min + bar * step;
  const isInside = (bar: number) =>
    (min === undefined || from(bar + 1) > min) && (max === undefined || from(bar) <= max);
  const top =
    peak < 0 ? '' : `, most often ${format(from(peak))}${step > 1 ? ` to ${format(from(peak + 1))}` : ''}`;
  return (
    <svg
      className={styles['histogram']}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} of the results: ${format(histogram.min)} to ${format(histogram.max)}${top}`}
    >
      {counts.map((count, bar) => {
        // The root lets a bar of few results be seen beside one of many.
        const height =
          count === 0 ? 0 : Math.max(1.5, Math.round(Math.sqrt(count / most) * HEIGHT * 10) / 10);
        return (
          <rect
            key={from(bar)}
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
