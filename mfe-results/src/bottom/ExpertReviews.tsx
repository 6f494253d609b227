import { useState, type ReactNode, useEffect, useRef, type RefObject } from 'react';
import { singleValue, type SearchCriteria } from '@forecourt/search/criteria';
import { selectFlag, selectSession, selectCriteria } from '@forecourt/search/state';
import { usePageState, useSlotEnvironment } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import { EXPERT_REVIEWS_SHOWN } from '../constants.ts';
import { BottomBlock } from './BottomBlock.tsx';
import styles from './ExpertReviews.later.module.css';
import { whenNear } from '../browser/lazyLoading.tsx';

type ExpertReview = CallResponses['expertReviews'][number];

/** The valuation site's editorial reviews of the searched vehicle. */
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
    <BottomBlock blockRef={block} name="reviews" heading="Expert reviews" isVisible={isVisible}>
      <ul className={styles['reviews']} aria-busy={reviews === undefined}>
        {reviews?.map(({ title, link, excerpt, _embedded }) => (
          <li key={link} className={styles['review']}>
            <h3 className={styles['title']}>
              <a href={link} target="_blank" rel="noopener noreferrer external">
                {title}
              </a>
            </h3>
            <p>{excerpt}</p>
            {_embedded?.author[0] && <p className={styles['author']}>{`By ${_embedded.author[0].name}`}</p>}
          </li>
        )) ?? <Placeholders />}
      </ul>
    </BottomBlock>
  );
}

/** Placeholders as tall as most reviews, so that nothing below moves when they load. */
const Placeholders = (): ReactNode =>
  Array.from({ length: EXPERT_REVIEWS_SHOWN }, (_, at) => (
    <li key={at} className={`${styles['review']} ${styles['awaited']}`} aria-hidden="true" data-placeholder>
      <p className={styles['title']} />
      <p className={styles['excerpt']} />
      <p className={styles['author']} />
    </li>
  ));

/** Path parameters of the reviews; undefined without one make and model. `today` is an ISO date. */
function reviewParams(criteria: SearchCriteria, today: string): Readonly<Record<string, string>> | undefined {
  const make = singleValue(criteria, 'makeCode');
  const model = singleValue(criteria, 'modelCode');
  if (!make || !model) return undefined;
  const from = singleValue(criteria, 'startYear');
  const year = from !== undefined && from === singleValue(criteria, 'endYear') ? from : today.slice(0, 4);
  // A trim code is 'model|trim'.
  const trim = singleValue(criteria, 'trimCode')?.split('|')[1] ?? 'all';
  return { year, make, model, trim, _embed: 'true' };
}

const isWebPage = ({ link }: ExpertReview) => /^https?:\/\//i.test(link);

/**
 * The first two articles about the searched vehicle, loaded when the block comes near; undefined
 * until then. `params` null loads nothing; a failure leaves no block.
 */
function useExpertReviews(
  block: RefObject<Element | null>,
  params: Readonly<Record<string, string>> | null,
): readonly ExpertReview[] | undefined {
  const { call } = useSlotEnvironment();
  const key = JSON.stringify(params);
  const [loaded, setLoaded] = useState<{ key: string; reviews: readonly ExpertReview[] }>();
  useEffect(() => {
    const element = block.current;
    const parameters = JSON.parse(key) as Readonly<Record<string, string>> | null;
    if (!element || !parameters) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stopWaiting = whenNear(element, () => {
      const finish = (reviews: readonly ExpertReview[]) =>
        !signal.aborted && setLoaded({ key, reviews: reviews.filter(isWebPage) });
      call('expertReviews', parameters, { signal }).then(finish, () => finish([]));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [block, call, key]);
  return loaded?.key === key ? loaded.reviews.slice(0, EXPERT_REVIEWS_SHOWN) : undefined;
}
