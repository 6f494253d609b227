import type { ReactNode } from 'react';
import type { MileageFaq } from '../data/mileageFaq.ts';
import styles from './FaqsPanel.module.css';
import type { Question } from './questions.ts';

/** One bar per model year, with its share of the listings. */
function MileageChart(props: { shares: MileageFaq['facetStatsCalculate']; title: string }): ReactNode {
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

/** Questions and answers, and the distribution of used listings over model years. */
export function FaqsPanel(props: {
  name: string;
  questions: readonly Question[];
  mileage: MileageFaq | null;
}): ReactNode {
  const { name, questions, mileage } = props;
  return (
    <div className={styles['faqs']}>
      <div>
        {questions.map(({ question, answer }, at) => (
          <details key={question} className={styles['question']} open={at === 0}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
      {mileage && mileage.facetStatsCalculate.length > 1 && (
        <MileageChart shares={mileage.facetStatsCalculate} title={`Used ${name} listings by model year`} />
      )}
    </div>
  );
}
