import type { ReactNode } from 'react';
import { filterCount } from '@forecourt/shared-contracts/search';
import { defineSlot, useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { PanelDataProvider } from '../panel/panelData.tsx';
import { SearchEditsProvider, useCriteria } from '../search/searchEdits.tsx';
import { CategoryTabs } from '../toolbar/CategoryTabs.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import { standingChips } from '../toolbar/chipState.ts';
import { SuggestedModelDialog } from '../toolbar/SuggestedModelDialog.tsx';
import { NearMisses, SuggestedFilters } from '../toolbar/Suggestions.tsx';
import styles from './toolbar.module.css';

/** 'Filter (3)'; chips without the location are counted, none at all leaves 'Filter' (B2-TOOL-12, B2-TOOL-13, AMB-074). */
function FilterButton(): ReactNode {
  const emit = useEmit();
  const criteria = useCriteria();
  const count = filterCount(
    standingChips(
      usePageState(({ search }) => search.chips),
      criteria,
    ),
  );
  return (
    <Button
      className={styles['filter']}
      aria-haspopup="dialog"
      onClick={() => emit('dialog.requested', { name: 'filters' })}
    >
      <Icon name="filter" />
      {count === 0 ? 'Filter' : `Filter (${count})`}
    </Button>
  );
}

function Toolbar(): ReactNode {
  const hasCategories = usePageState(selectFlag('categorySearch'));
  return (
    <div className={styles['toolbar']}>
      {hasCategories && <CategoryTabs />}
      <div className={styles['row']}>
        <FilterButton />
        <Chips label="Selected filters" isOneLine />
      </div>
      <SuggestedFilters />
      <NearMisses />
      <SuggestedModelDialog />
    </div>
  );
}

/** What stands between the hero and the results: categories, chips, suggestions. */
export default defineSlot({
  needs: [
    'search.criteria',
    'search.chips',
    'search.filters',
    'search.suggestions',
    'search.status',
    'search.totalResultCount',
    'session',
  ],
  view: () => (
    <SearchEditsProvider>
      <PanelDataProvider>
        <Toolbar />
      </PanelDataProvider>
    </SearchEditsProvider>
  ),
});
