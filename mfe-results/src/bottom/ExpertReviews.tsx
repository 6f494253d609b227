import { useRef, type ReactNode } from 'react';
import { selectCriteria, selectFlag, selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { reviewParams, useExpertReviews } from './useExpertReviews.ts';
import blockStyles from './VehicleBlock.later.module.css';
import styles from './ExpertReviews.later.module.css';
import { EXPERT_REVIEWS_SHOWN } from '../constants.ts';

/** What the valuation site's editors wrote about the searched vehicle (B2-BOTTOM-06, B2-BOTTOM-07). */
export function ExpertReviews(): ReactNode {
  const isOn = usePageState(selectFlag('expertReviews'));
  const criteria = usePageState(selectCriteria);
  const { today } = usePageState(selectSession);
  const block = useRef<HTMLElement>(null);
  const params = isOn ? (reviewParams(criteria, today) ?? null) : null;
  const reviews = useExpertReviews(block, params);
  if (!params) return null;
  const isVisible = reviews === undefined || reviews.length > 0;
  return (
    <section
      ref={block}
      className={blockStyles['block']}
      aria-label={isVisible ? 'Expert reviews' : undefined}
      data-block="reviews"
    >
      {isVisible && (
        <>
          <h2 className={blockStyles['heading']}>Expert reviews</h2>
          <ul className={styles['reviews']} aria-busy={reviews === undefined}>
            {reviews?.map(({ title, link, excerpt, _embedded }) => (
              <li key={link} className={styles['review']}>
                <h3 className={styles['title']}>
                  <a href={link} target="_blank" rel="noopener noreferrer external">
                    {title}
                  </a>
                </h3>
                <p>{excerpt}</p>
                {_embedded?.author[0] && (
                  <p className={styles['author']}>{`By ${_embedded.author[0].name}`}</p>
                )}
              </li>
            )) ?? <Placeholders />}
          </ul>
        </>
      )}
    </section>
  );
}

/** As high as most reviews: what stands below stays where it is when they come. */
const Placeholders = (): ReactNode =>
  Array.from({ length: EXPERT_REVIEWS_SHOWN }, (_, at) => (
    <li key={at} className={`${styles['review']} ${styles['awaited']}`} aria-hidden="true" data-placeholder>
      <p className={styles['title']} />
      <p className={styles['excerpt']} />
      <p className={styles['author']} />
    </li>
  ));
