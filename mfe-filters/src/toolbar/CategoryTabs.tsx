import { type ReactNode, useMemo } from 'react';
import { CATEGORIES, selectCategory } from '@forecourt/search/criteria';
import { isPlainClick } from '@forecourt/slots/ui';
import { useCriteria, useEdit, useDeferredCriteria } from '../search/searchEdits.tsx';
import { searchHref } from '../search/links.ts';
import tabStyles from './CategoryTabs.module.css';
import iconStyles from './CategoryTabs.later.module.css';

/** All Results and the four categories as links. */
export function CategoryTabs(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const linkCriteria = useDeferredCriteria();
  const hrefs = useMemo(
    () => CATEGORIES.map(({ value }) => searchHref(selectCategory(linkCriteria, value))),
    [linkCriteria],
  );
  return (
    <nav aria-label="Categories">
      <ul className={tabStyles['tabs']}>
        {CATEGORIES.map(({ value, label, icon }, index) => (
          <li key={label}>
            <a
              className={`${tabStyles['tab']} ${iconStyles['icon']} ${iconStyles[icon]}`}
              href={hrefs[index]}
              aria-current={criteria.categorySearch === value ? 'true' : undefined}
              onClick={(event) => {
                if (!isPlainClick(event)) return;
                event.preventDefault();
                edit((current) => selectCategory(current, value), `category:${value ?? 'all'}`);
              }}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
