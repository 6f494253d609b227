import { type ReactNode, useId } from 'react';
import { usePageState } from '@forecourt/slots';
import { buttonClass, iconClass, VisuallyHidden } from '@forecourt/slots/ui';
import { searchHref } from '../search/links.ts';
import { matchesText } from '../search/matchesText.ts';
import { useDeferredCriteria } from '../search/searchEdits.tsx';
import { Chips } from './Chips.tsx';
import { FilterButton } from './FilterButton.tsx';
import { SaveSearch } from './SaveSearch.tsx';
import { SortForm } from './SortForm.tsx';
import { NearMisses, SuggestedFilters } from './Suggestions.tsx';
import styles from './YourSearch.module.css';

/** The same search with the map of its sellers, as a document of its own. */
function MapLink(): ReactNode {
  const criteria = useDeferredCriteria();
  if (criteria.view) return null;
  return (
    <a
      className={buttonClass('secondary', `${iconClass('pin', 18)} ${styles['map']}`)}
      rel="nofollow"
      href={searchHref({ ...criteria, view: 'map', firstRecord: 0 })}
    >
      Map
    </a>
  );
}

/**
 * The 'Your Search' box above the results: their number, what changes them, and the selected filters. On small screens
 * its controls stay at the top of the window. Its height is constant, so that the results don't move.
 */
export function YourSearch(): ReactNode {
  const headingId = useId();
  const text = matchesText(usePageState(({ search }) => search.totalResultCount));
  return (
    <section className={styles['box']} aria-labelledby={headingId} data-your-search>
      <h2 id={headingId} className={styles['heading']}>
        <VisuallyHidden>Your Search</VisuallyHidden>
      </h2>
      <div className={styles['bar']}>
        <FilterButton className={styles['filter']} />
        <SaveSearch />
        <SortForm />
        <MapLink />
      </div>
      <div className={styles['strip']}>
        <Chips label="Selected filters" />
        <NearMisses />
        <SuggestedFilters />
      </div>
      {/* The heading of the results says it to screen readers. The key replaces a number that a translator changed. */}
      <p key={text} className={styles['count']} aria-hidden="true">
        {text}
      </p>
    </section>
  );
}
