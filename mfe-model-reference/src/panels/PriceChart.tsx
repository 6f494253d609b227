import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import type { PriceChart as Chart } from './priceRows.ts';
import styles from './PriceChart.module.css';

/** px; height of a line, and of the scale below the lines. */
const LINE = 34;

const SCALE = 28;

/** Percent of the width for the names on the left and the averages on the right. */
const LEFT = 15;

const RIGHT = 26;

const x = (percent: number) => `${LEFT + (percent * (100 - LEFT - RIGHT)) / 100}%`;

/**
 * Lowest to highest price of each year, with a dot at the average. Positions are in percent, so that text keeps its size.
 * Hidden from screen readers: the table next to it has the same data.
 */
export function PriceChart({ chart, title }: { chart: Chart; title: string }): ReactNode {
  const { lines, lowest, highest } = chart;
  const bottom = lines.length * LINE;
  return (
    <figure className={styles['figure']} aria-hidden="true">
      <figcaption className={styles['title']}>{title}</figcaption>
      <svg className={styles['chart']} width="100%" height={bottom + SCALE} focusable="false">
        {[0, 50, 100].map((percent) => (
          <line key={percent} className={styles['grid']} x1={x(percent)} x2={x(percent)} y1="0" y2={bottom} />
        ))}
        {lines.map((line, at) => {
          const y = at * LINE + LINE / 2;
          return (
            <g key={line.key}>
              <text className={styles['name']} x="0" y={y} dominantBaseline="central">
                {line.name}
              </text>
              <line className={styles['range']} x1={x(line.from)} x2={x(line.to)} y1={y} y2={y} />
              <circle className={styles['dot']} cx={x(line.at)} cy={y} r="6" />
              <text className={styles['average']} x="100%" y={y} textAnchor="end" dominantBaseline="central">
                {formatDollars(line.average)}
              </text>
            </g>
          );
        })}
        <text className={styles['scale']} x={x(0)} y={bottom + SCALE - 8}>
          {formatDollars(lowest)}
        </text>
        <text className={styles['scale']} x={x(100)} y={bottom + SCALE - 8} textAnchor="end">
          {formatDollars(highest)}
        </text>
      </svg>
    </figure>
  );
}
