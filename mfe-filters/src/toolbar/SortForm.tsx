import { type ReactNode, startTransition, useId, useOptimistic } from 'react';
import { isSortValue, RELEVANCE_SORT } from '@forecourt/search/criteria';
import { selectFlag } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { Icon, buttonClass } from '@forecourt/slots/ui';
import { searchHref } from '../search/links.ts';
import { useCriteria, useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
import styles from './SortForm.module.css';
import { setSort, SORT_OPTIONS } from './sorting.ts';

/** A hidden tab paints no frames; ms. */
const MAX_PAINT_DELAY_MS = 100;

/** Resolves after the browser's next paint. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const fallback = setTimeout(resolve, MAX_PAINT_DELAY_MS);
    // Frame callbacks run before the paint, a timer that they start runs after it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(fallback);
        resolve();
      }),
    );
  });

/** The sort select: searches immediately; without JavaScript, submits a GET form. */
export function SortForm(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const id = useId();
  const hasPayments = usePageState(selectFlag('wallet'));
  const [action, query] = searchHref({
    ...useDeferredCriteria(),
    sortBy: RELEVANCE_SORT,
    firstRecord: 0,
  }).split('?');
  const [chosenSort, showSort] = useOptimistic(criteria.sortBy);
  // The select is painted first: a search repaints every slot.
  const change = (value: string) =>
    startTransition(async () => {
      if (!isSortValue(value)) return;
      showSort(value);
      await nextPaint();
      edit((current) => setSort(current, value), 'sort');
    });
  return (
    <form className={styles['form']} method="get" action={action}>
      {[...new URLSearchParams(query)].map(([name, value], index) => (
        <input key={`${index}${name}`} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor={id} className={styles['label']}>
        Sort By:
      </label>
      <span className={styles['field']}>
        <select
          id={id}
          name="sortBy"
          className={styles['select']}
          value={chosenSort}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value)}
        >
          {SORT_OPTIONS.filter(
            ({ value }) => hasPayments || value === criteria.sortBy || !value.startsWith('monthlyPayment'),
          ).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={16} />
      </span>
      <button type="submit" className={buttonClass('secondary', styles['submit'])}>
        Sort
      </button>
    </form>
  );
}
