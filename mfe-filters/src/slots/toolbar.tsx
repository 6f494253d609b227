import type { ReactNode } from 'react';
import { filterCount } from '@forecourt/shared-contracts/search';
import { defineSlot, useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { KeywordSearch } from '../keyword/KeywordSearch.tsx';
import { PanelDataProvider } from '../panel/panelData.tsx';
import { SaveSearch } from '../saveSearch/SaveSearch.tsx';
import { SearchEditsProvider, useCriteria } from '../search/searchEdits.tsx';
import { CategoryTabs } from '../toolbar/CategoryTabs.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import { standingChips } from '../toolbar/chipState.ts';
import { SuggestedModelDialog } from '../toolbar/SuggestedModelDialog.tsx';
import { NearMisses, SuggestedFilters } from '../toolbar/Suggestions.tsx';
import { UndoToast } from '../undo/UndoToast.tsx';
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
  const hasKeywords = usePageState(selectFlag('keywordSearch'));
  return (
    <div className={styles['toolbar']}>
      {hasCategories && <CategoryTabs />}
      <div className={styles['row']}>
        <FilterButton />
        {hasKeywords && <KeywordSearch />}
        <div className={styles['strip']}>
          <div className={styles['chips']}>
            <Chips label="Selected filters" clears />
          </div>
          <SaveSearch className={styles['save']} />
          <div className={styles['offers']}>
            <NearMisses />
            <SuggestedFilters />
          </div>
        </div>
      </div>
      <UndoToast />
      <SuggestedModelDialog />
    </div>
  );
}

/** What stands between the hero and the results: categories, keywords, chips, suggestions. */
export default defineSlot({
  needs: [
    'search.criteria',
    'search.chips',
    'search.filters',
    'search.suggestions',
    'search.status',
    'search.totalResultCount',
    'search.requestId',
    'search.requestParams',
    'search.pageData',
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
