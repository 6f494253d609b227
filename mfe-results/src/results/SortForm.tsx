import { useId, type ReactNode } from 'react';
import { isSortValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Icon, buttonClass } from '@forecourt/shared-contracts/ui';
import { formOf } from '../search/searchUrl.ts';
import styles from './SortForm.module.css';
import { SORT_OPTIONS, setSort } from './sorting.ts';

/** The sort select (B2-SORT-01): a search at once with JavaScript, a GET form without. */
export function SortForm({ criteria, url }: { criteria: SearchCriteria; url: string }): ReactNode {
  const emit = useEmit();
  const id = useId();
  const { action, fields } = formOf(url, ['sortBy', 'firstRecord']);
  const change = (value: string) => {
    if (isSortValue(value))
      emit('search.changeRequested', { criteria: setSort(criteria, value), cause: 'sort' });
  };
  return (
    <form className={styles['form']} method="get" action={action}>
      {fields.map(([name, value], index) => (
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
          value={criteria.sortBy}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value)}
        >
          {SORT_OPTIONS.map(({ value, label }) => (
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
