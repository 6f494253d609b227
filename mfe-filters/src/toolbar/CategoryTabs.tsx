import { type ReactNode, useMemo } from 'react';
import { CATEGORIES, selectCategory } from '@forecourt/search/criteria';
import { isPlainClick } from '@forecourt/slots/ui';
import { useCriteria, useEdit, useDeferredCriteria } from '../search/searchEdits.tsx';
import { searchHref } from '../search/links.ts';
import tabStyles from './CategoryTabs.module.css';

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
              className={tabStyles['tab']}
              href={hrefs[index]}
              aria-current={criteria.categorySearch === value ? 'true' : undefined}
              onClick={(event) => {
                if (!isPlainClick(event)) return;
                event.preventDefault();
                edit((current) => selectCategory(current, value), `category:${value ?? 'all'}`);
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

/** Stroke paths in a 24-unit viewBox, by the catalog's icon names. */
const PATHS: Readonly<Record<string, string>> = {
  grid: 'M4 4h6.500v6.500H4zM13.500 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.500 13.500H20V20h-6.500z',
  tag: 'M4 11V4h7l9 9-7 7zM8 8v.01',
  cart: 'M3 4h2.500l2 11h10l2.500-8H6.500M9 19.500v.01M16.500 19.500v.01',
  person:
    'M12 11.500a3.750 3.750 0 1 0 0-7.500 3.750 3.750 0 0 0 0 7.500zM4.500 20c.6-3.700 3.500-5.500 7.500-5.500s6.900 1.800 7.500 5.500',
  badge:
    'M12 3l2.400 2 3.100-.2.700 3 2.600 1.700-1.200 2.900 1.200 2.900-2.600 1.700-.7 3-3.100-.2L12 22l-2.400-2.200-3.100.2-.7-3-2.600-1.700 1.200-2.900-1.200-2.900 2.600-1.700.7-3 3.100.2zM8.500 12.200l2.500 2.500 4.500-5',
};

/** Decorative: the label is next to it. */
function CategoryIcon({ name }: { name: string }): ReactNode {
  const path = PATHS[name];
  if (path === undefined) return null;
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
