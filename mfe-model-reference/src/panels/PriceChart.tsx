import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import type { PriceChart as Chart } from './priceRows.ts';
import styles from './PriceChart.module.css';

/** px; height of a line, as in the styles. */
const LINE = 34;

/** A tenth of a percent is less than a pixel. */
const rounded = (percent: number) => Math.round(percent * 10) / 10;

/** The paths in percent of the width and px of the height, so that all lines together are three elements. */
function pathsOf(lines: Chart['lines'], bottom: number) {
  const yOf = (at: number) => at * LINE + LINE / 2;
  return {
    grid: `M0 0V${bottom}M50 0V${bottom}M100 0V${bottom}`,
    ranges: lines.map(({ from, to }, at) => `M${rounded(from)} ${yOf(at)}H${rounded(to)}`).join(''),
    // A line without length and with round ends is a dot.
    dots: lines.map((line, at) => `M${rounded(line.at)} ${yOf(at)}h0`).join(''),
  };
}

/**
 * Lowest to highest price of each year, with a dot at the average. The drawing stretches between names and averages, its
 * strokes and the text keep their size. Hidden from screen readers: the table next to it has the same data.
 */
export function PriceChart({ chart, title }: { chart: Chart; title: string }): ReactNode {
  const { lines, lowest, highest } = chart;
  const bottom = lines.length * LINE;
  const { grid, ranges, dots } = pathsOf(lines, bottom);
  return (
    <figure className={styles['figure']} aria-hidden="true">
      <figcaption className={styles['title']}>{title}</figcaption>
      <div className={styles['chart']}>
        <p className={styles['names']}>{lines.map(({ name }) => name).join('\n')}</p>
        <svg viewBox={`0 0 100 ${bottom}`} height={bottom} preserveAspectRatio="none" focusable="false">
          <path className={styles['grid']} d={grid} />
          <path className={styles['ranges']} d={ranges} />
          <path className={styles['rims']} d={dots} />
          <path className={styles['dots']} d={dots} />
        </svg>
        <p className={styles['averages']}>{lines.map(({ average }) => formatDollars(average)).join('\n')}</p>
        <p className={styles['scale']}>
          {formatDollars(lowest)}
          <span>{formatDollars(highest)}</span>
        </p>
      </div>
    </figure>
  );
}
