import type { ReactNode } from 'react';
import type { Filter } from '@forecourt/upstream/entities';
import styles from './RangeGraph.module.css';
import { type RangeSlidersProps, RangeSliders } from './RangeSliders.tsx';

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
  const span = `${format(histogram.min)}${histogram.isOpenStart ? ' or less' : ''} to ${format(histogram.max)}${histogram.isOpenEnd ? ' or more' : ''}`;
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
      aria-label={`${label} of the results: ${span}${peakText}`}
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
      <RangeSliders
        label={label.toLowerCase()}
        lowest={histogram.min}
        highest={histogram.max}
        isOpenStart={histogram.isOpenStart}
        isOpenEnd={histogram.isOpenEnd}
        {...range}
      />
    </>
  );
}
