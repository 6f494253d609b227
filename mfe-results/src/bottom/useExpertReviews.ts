import { useEffect, useState, type RefObject } from 'react';
import type { ExpertReview } from '@forecourt/shared-contracts/entities';
import { singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { whenNear } from '../loading/useNear.ts';
import { EXPERT_REVIEWS_SHOWN } from '../constants.ts';

/** Path parts of the reviews of a search; undefined without one make and model. `today` as an ISO date. */
export function reviewParams(
  criteria: SearchCriteria,
  today: string,
): Readonly<Record<string, string>> | undefined {
  const make = singleValue(criteria, 'makeCode');
  const model = singleValue(criteria, 'modelCode');
  if (!make || !model) return undefined;
  const from = singleValue(criteria, 'startYear');
  const year = from !== undefined && from === singleValue(criteria, 'endYear') ? from : today.slice(0, 4);
  // A trim code is 'model|trim' (AMB-051).
  const trim = singleValue(criteria, 'trimCode')?.split('|')[1] ?? 'all';
  return { year, make, model, trim, _embed: 'true' };
}

const isWebPage = ({ link }: ExpertReview) => /^https?:\/\//i.test(link);

/**
 * The first two articles about the searched vehicle, once the block comes near
 * (B9-MISC-02); undefined until they are there. `params` null asks for nothing.
 * What fails leaves no block (B7-EXPERT-03).
 */
export function useExpertReviews(
  block: RefObject<Element | null>,
  params: Readonly<Record<string, string>> | null,
): readonly ExpertReview[] | undefined {
  const { call } = useSlotEnvironment();
  const key = JSON.stringify(params);
  const [found, setFound] = useState<{ key: string; reviews: readonly ExpertReview[] }>();
  useEffect(() => {
    const element = block.current;
    const asked = JSON.parse(key) as Readonly<Record<string, string>> | null;
    if (!element || !asked) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const forget = whenNear(element, () => {
      const show = (reviews: readonly ExpertReview[]) =>
        !signal.aborted && setFound({ key, reviews: reviews.filter(isWebPage) });
      call('expertReviews', asked, { signal }).then(show, () => show([]));
    });
    return () => {
      forget();
      controller.abort();
    };
  }, [block, call, key]);
  return found?.key === key ? found.reviews.slice(0, EXPERT_REVIEWS_SHOWN) : undefined;
}
