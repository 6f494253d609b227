import type { ReactNode } from 'react';
import styles from './MileageChart.module.css';
import type { MileageFaq } from './mileageFaq.ts';

/** One bar a model year, as long as its share of the listings; the text beside it says the same. */
export function MileageChart(props: { shares: MileageFaq['facetStatsCalculate']; title: string }): ReactNode {
  const { shares, title } = props;
  const most = Math.max(...shares.map(({ percent }) => percent));
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['title']}>{title}</figcaption>
      <ul className={styles['bars']}>
        {shares.map(({ name, percent }) => (
          <li key={name} className={styles['line']}>
            <span>{name}</span>
            <span className={styles['track']} aria-hidden="true">
              <span
                className={styles['bar']}
                style={{ inlineSize: `${most === 0 ? 0 : (percent / most) * 100}%` }}
              />
            </span>
            <span className={styles['percent']}>{percent}%</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
