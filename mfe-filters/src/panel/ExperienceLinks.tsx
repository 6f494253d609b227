import type { ReactNode } from 'react';
import { changeFilters, type Experience, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { isPlainClick, searchHref } from '../search/links.tsx';
import { useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import styles from './ExperienceLinks.later.module.css';

const ENTRIES: readonly { readonly experience: Experience; readonly label: string }[] = [
  { experience: 'commercial', label: 'Shop Commercial Vehicles' },
  { experience: 'best-deals', label: 'Shop Best Deals' },
];

const enter = (experience: Experience) => (criteria: SearchCriteria) =>
  changeFilters({ ...criteria, experience }, criteria.filters);

/** The ways into the page's other modes (B2-PROMO-02, B2-PROMO-03). */
export function ExperienceLinks(): ReactNode {
  const criteria = useLaterCriteria();
  const edit = useEdit();
  return (
    <ul className={styles['links']}>
      {ENTRIES.filter(({ experience }) => experience !== criteria.experience).map(({ experience, label }) => (
        <li key={experience}>
          <a
            className={styles['link']}
            href={searchHref(enter(experience)(criteria))}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              edit(enter(experience), `experience:${experience}`);
            }}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
