import type { ReactNode } from 'react';
import { selectFlag } from '@forecourt/search/state';
import { defineSlot, usePageState } from '@forecourt/slots';
import { PanelDataProvider } from '../search/panelData.tsx';
import { SaveSearch } from '../toolbar/SaveSearch.tsx';
import { SearchEditsProvider } from '../search/searchEdits.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import { FilterButton } from '../toolbar/FilterButton.tsx';
import { SuggestedModel } from '../toolbar/SuggestedModel.tsx';
import { NearMisses, SuggestedFilters } from '../toolbar/Suggestions.tsx';
import styles from './toolbar.module.css';
import { CategoryTabs } from '../toolbar/CategoryTabs.tsx';
import { UndoToast } from '../toolbar/UndoToast.tsx';
import { KeywordSearch } from '../keyword/KeywordSearch.tsx';

function Toolbar(): ReactNode {
  const hasCategories = usePageState(selectFlag('categorySearch'));
  const hasKeywords = usePageState(selectFlag('keywordSearch'));
  return (
    <div className={styles['toolbar']}>
      {hasCategories && <CategoryTabs />}
      <div className={styles['row']}>
        <FilterButton className={styles['filter']} />
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
      <SuggestedModel />
    </div>
  );
}

/** The bar above the results: categories, keyword search, chips, suggestions. */
export default defineSlot({
  reads: [
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
