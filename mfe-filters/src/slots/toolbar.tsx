import type { ReactNode } from 'react';
import { selectFlag } from '@forecourt/search/state';
import { defineSlot, usePageState } from '@forecourt/slots';
import { PanelDataProvider } from '../search/panelData.tsx';
import { SearchEditsProvider } from '../search/searchEdits.tsx';
import { SuggestedModel } from '../toolbar/SuggestedModel.tsx';
import styles from './toolbar.module.css';
import { CategoryTabs } from '../toolbar/CategoryTabs.tsx';
import { UndoToast } from '../toolbar/UndoToast.tsx';
import { YourSearch } from '../toolbar/YourSearch.tsx';
import { KeywordSearch } from '../keyword/KeywordSearch.tsx';

function Toolbar(): ReactNode {
  const hasCategories = usePageState(selectFlag('categorySearch'));
  const hasKeywords = usePageState(selectFlag('keywordSearch'));
  return (
    <div className={styles['toolbar']}>
      {(hasCategories || hasKeywords) && (
        <div className={styles['tabs']}>
          {hasCategories ? <CategoryTabs /> : <span />}
          {hasKeywords && <KeywordSearch />}
        </div>
      )}
      <YourSearch />
      <UndoToast />
      <SuggestedModel />
    </div>
  );
}

/** What is above the results: categories, keyword search, and the 'Your Search' box. */
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
