import type { ReactNode } from 'react';
import { formatCount, formatDate } from '@forecourt/search/format';
import { Icon } from '@forecourt/slots/ui';
import type { ConsumerRatings } from '../data/loadReference.ts';
import styles from './ReviewsPanel.module.css';

const OVERALL = 'Overall Rating';

/** Consumer reviews: the overall rating, ratings by aspect, and review texts. */
export function ReviewsPanel({ ratings, vehicle }: { ratings: ConsumerRatings; vehicle: string }): ReactNode {
  const overall = ratings.ratings.find(({ name }) => name === OVERALL);
  const parts = ratings.ratings.filter(({ name }) => name !== OVERALL);
  const count = ratings.numberOfReviews;
  return (
    <>
      <p className={styles['overall']}>
        {overall && (
          <strong className={styles['score']}>
            <Icon name="star" size={28} /> {overall.value.toFixed(1)} of 5
          </strong>
        )}
        <span>{`${OVERALL} of the ${vehicle} by ${formatCount(count, 'review')}`}</span>
      </p>
      <ul className={styles['parts']}>
        {parts.map(({ name, value }) => (
          <li key={name} className={styles['part']}>
            <span>{name}</span>
            <span className={styles['bar']} aria-hidden="true">
              <span style={{ inlineSize: `${(value / 5) * 100}%` }} />
            </span>
            <span className={styles['value']}>{value.toFixed(1)}</span>
          </li>
        ))}
      </ul>
      <div className={styles['reviews']}>
        {ratings.reviews.map(({ title, author, date, rating, text }) => (
          <article key={`${author}-${date}-${title}`} className={styles['review']}>
            <h3 className={styles['title']}>{title}</h3>
            <p
              className={styles['by']}
            >{`${rating.toFixed(1)} out of 5 by ${author}, ${formatDate(date)}`}</p>
            <p>{text}</p>
          </article>
        ))}
      </div>
    </>
  );
}
