import { useMemo, type ReactNode } from 'react';
import { CATEGORIES, selectCategory } from '@forecourt/shared-contracts/criteria';
import { isPlainClick } from '../search/isPlainClick.ts';
import { searchHref } from '../search/links.ts';
import { useCriteria, useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import { CategoryIcon } from './CategoryIcon.tsx';
import styles from './CategoryTabs.module.css';

/** All Results and the four categories as links; the active one is the current one (B2-TOOL-01..05, B4-CAT-01..03). */
export function CategoryTabs(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const linked = useLaterCriteria();
  const hrefs = useMemo(
    () => CATEGORIES.map(({ value }) => searchHref(selectCategory(linked, value))),
    [linked],
  );
  return (
    <nav aria-label="Categories">
      <ul className={styles['tabs']}>
        {CATEGORIES.map(({ value, label, icon }, index) => (
          <li key={label}>
            <a
              className={styles['tab']}
              href={hrefs[index]}
              aria-current={criteria.categorySearch === value ? 'true' : undefined}
              onClick={(event) => {
                if (!isPlainClick(event)) return;
                event.preventDefault();
                edit((newest) => selectCategory(newest, value), `category:${value ?? 'all'}`);
              }}
            >
              <CategoryIcon name={icon} />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
