import type { ReactNode } from 'react';
import { formatCount, formatDate } from '@forecourt/shared-contracts/rules';
import { Icon } from '@forecourt/shared-contracts/ui';
import type { ConsumerRatings, SafetyInfo } from '../data/loadReference.ts';
import reviewStyles from './ReviewsPanel.module.css';
import safetyStyles from './SafetyPanel.module.css';

const OVERALL = 'Overall Rating';

/** Consumer reviews: the overall rating, ratings by aspect, and review texts. */
export function ReviewsPanel({ ratings, vehicle }: { ratings: ConsumerRatings; vehicle: string }): ReactNode {
  const overall = ratings.ratings.find(({ name }) => name === OVERALL);
  const parts = ratings.ratings.filter(({ name }) => name !== OVERALL);
  const count = ratings.numberOfReviews;
  return (
    <>
      <p className={reviewStyles['overall']}>
        {overall && (
          <strong className={reviewStyles['score']}>
            <Icon name="star" size={28} /> {overall.value.toFixed(1)} of 5
          </strong>
        )}
        <span>{`${OVERALL} of the ${vehicle} by ${formatCount(count, 'review')}`}</span>
      </p>
      <ul className={reviewStyles['parts']}>
        {parts.map(({ name, value }) => (
          <li key={name} className={reviewStyles['part']}>
            <span>{name}</span>
            <span className={reviewStyles['bar']} aria-hidden="true">
              <span style={{ inlineSize: `${(value / 5) * 100}%` }} />
            </span>
            <span className={reviewStyles['value']}>{value.toFixed(1)}</span>
          </li>
        ))}
      </ul>
      <div className={reviewStyles['reviews']}>
        {ratings.reviews.map(({ title, author, date, rating, text }) => (
          <article key={`${author}-${date}-${title}`} className={reviewStyles['review']}>
            <h3 className={reviewStyles['title']}>{title}</h3>
            <p
              className={reviewStyles['by']}
            >{`${rating.toFixed(1)} of 5 by ${author}, ${formatDate(date)}`}</p>
            <p>{text}</p>
          </article>
        ))}
      </div>
    </>
  );
}

/** Labels of abbreviated values, e.g. 'std' (B3-SAFETY-02); other values are shown unchanged. */
const FEATURE_VALUES: Readonly<Record<string, string>> = {
  std: 'Standard',
  opt: 'Optional',
  na: 'Not Available',
  'n/a': 'Not Available',
};
const featureText = (value: string): string => FEATURE_VALUES[value.toLowerCase()] ?? value;

const isOutOfFive = (value: string) => /^[0-5](?:\.\d)?$/.test(value);

function Facts(props: { title: string; entries: SafetyInfo['Specifications'] }): ReactNode {
  if (props.entries.length === 0) return null;
  return (
    <section className={safetyStyles['group']}>
      <h3 className={safetyStyles['title']}>{props.title}</h3>
      <dl className={safetyStyles['facts']}>
        {props.entries.map(({ name, value }) => (
          <div key={name} className={safetyStyles['fact']}>
            <dt>{name}</dt>
            <dd>{featureText(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Crash-test ratings, safety equipment and legroom (B3-SAFETY-01..03). */
export function SafetyPanel({ info, vehicle }: { info: SafetyInfo; vehicle: string }): ReactNode {
  const { features, Specifications } = info;
  return (
    <>
      <p className={safetyStyles['intro']}>{`Ratings and equipment of the ${vehicle}.`}</p>
      <ul className={safetyStyles['ratings']} aria-label="Safety Ratings">
        {features['Safety Ratings'].map(({ name, value }) => (
          <li key={name} className={safetyStyles['rating']}>
            <span className={safetyStyles['score']}>
              {isOutOfFive(value) ? (
                <>
                  <Icon name="star" size={20} /> {value} of 5
                </>
              ) : (
                value
              )}
            </span>
            {name}
          </li>
        ))}
      </ul>
      <div className={safetyStyles['groups']}>
        <Facts title="Safety Features" entries={features['Safety Features']} />
        <Facts title="Room" entries={Specifications} />
      </div>
    </>
  );
}
