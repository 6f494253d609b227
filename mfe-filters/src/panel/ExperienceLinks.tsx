import type { ReactNode } from 'react';
import { type SearchCriteria, changeFilters } from '@forecourt/search/criteria';
import { isPlainClick } from '@forecourt/slots/ui';
import { searchHref } from '../search/links.ts';
import { useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
import linkStyles from './ExperienceLinks.module.css';

const ENTRIES: readonly {
  readonly experience: NonNullable<SearchCriteria['experience']>;
  readonly label: string;
}[] = [
  { experience: 'commercial', label: 'Shop Commercial Vehicles' },
  { experience: 'best-deals', label: 'Shop Best Deals' },
];

const withExperience =
  (experience: NonNullable<SearchCriteria['experience']>) => (criteria: SearchCriteria) =>
    changeFilters({ ...criteria, experience }, criteria.filters);

/** Links to the page's other modes. */
export function ExperienceLinks(): ReactNode {
  const criteria = useDeferredCriteria();
  const edit = useEdit();
  return (
    <ul className={linkStyles['links']}>
      {ENTRIES.filter(({ experience }) => experience !== criteria.experience).map(({ experience, label }) => (
        <li key={experience}>
          <a
            className={linkStyles['link']}
            href={searchHref(withExperience(experience)(criteria))}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              edit(withExperience(experience), `experience:${experience}`);
            }}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
