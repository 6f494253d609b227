import type { ReactNode } from 'react';
import { MileageChart } from './MileageChart.tsx';
import type { Question } from './questions.ts';
import styles from './FaqsPanel.module.css';
import type { MileageFaq } from './mileageFaq.ts';

/** Questions that open one by one, and how the used listings spread over the years. */
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
