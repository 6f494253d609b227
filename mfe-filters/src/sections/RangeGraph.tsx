import type { ReactNode } from 'react';
import type { Filter } from '@forecourt/upstream/entities';
import styles from './RangeGraph.module.css';
import { type RangeSlidersProps, RangeSliders } from './RangeSliders.tsx';

const HEIGHT = 48;

/**
 * A bar of a path, with a gap of a fifth of its place; one path is lighter than an element for each bar. Square root scale: keeps
 * small counts visible next to large ones.
 *
 * @param share of the highest bar, above 0
 */
function barOf(bar: number, share: number): string {
  const height = Math.max(1.5, Math.round(Math.sqrt(share) * HEIGHT * 10) / 10);
  return `M${bar}.1 ${HEIGHT}v-${height}h.8v${height}`;
}

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
  const barsWhere = (isWanted: (bar: number) => boolean) =>
    counts.map((count, bar) => (count > 0 && isWanted(bar) ? barOf(bar, count / maxCount) : '')).join('');
  return (
    <svg
      className={styles['histogram']}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} of the results: ${span}${peakText}`}
    >
      <path className={styles['inside']} d={barsWhere(isInside)} />
      <path className={styles['outside']} d={barsWhere((bar) => !isInside(bar))} />
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
