import type { ReactNode } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import styles from './Histogram.later.module.css';

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
