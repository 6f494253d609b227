import { type ReactNode, useMemo, useEffect, useRef, useState } from 'react';
import { defineSlot, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState, selectCriteria } from '@forecourt/shared-contracts/store';
import { KeywordSearch } from '../keyword/KeywordBox.tsx';
import { PanelDataProvider, usePanelData } from '../search/panelData.tsx';
import { SaveSearch } from '../toolbar/SaveSearch.tsx';
import { SearchEditsProvider, useCriteria, useEdit, useDeferredCriteria } from '../search/searchEdits.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import { FilterButton } from '../toolbar/FilterButton.tsx';
import { SuggestedModelDialog } from '../toolbar/SuggestedModelDialog.tsx';
import { NearMisses, SuggestedFilters } from '../toolbar/Suggestions.tsx';
import styles from './toolbar.module.css';
import { CATEGORIES, selectCategory, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { isPlainClick, searchHref, FocusKeepingToast } from '../search/links.tsx';
import tabStyles from '../toolbar/CategoryTabs.module.css';
import { undoMessage } from '../search/criteriaChanges.ts';

interface Undoable {
  readonly key: string;
  readonly message: string;
  readonly before: SearchCriteria;
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select');

/** Offers to undo the last change that removed filters, with a button or Ctrl+Z outside of text fields. */
function UndoToast(): ReactNode {
  const { listen } = useSlotEnvironment();
  const edit = useEdit();
  const { labelOf } = usePanelData();
  const criteria = usePageState(selectCriteria);
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  /** Criteria before the next change. */
  const last = useRef(criteria);
  const labels = useRef(labelOf);
  const count = useRef(0);
  useEffect(() => {
    last.current = criteria;
    labels.current = labelOf;
  });
  useEffect(
    () =>
      listen('search.changeRequested', ({ criteria: after, cause }) => {
        const before = last.current;
        last.current = after;
        count.current += 1;
        const message = undoMessage(before, after, cause, labels.current);
        setUndoable(message === undefined ? null : { key: String(count.current), message, before });
      }),
    [listen],
  );
  useEffect(() => {
    if (!undoable) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isTextField(event.target)) return;
      event.preventDefault();
      setUndoable(null);
      edit(() => undoable.before, 'undo');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [undoable, edit]);
  return (
    <FocusKeepingToast
      toast={
        undoable && {
          key: undoable.key,
          message: undoable.message,
          action: { label: 'Undo', onUse: () => edit(() => undoable.before, 'undo') },
        }
      }
      onGone={() => setUndoable(null)}
    />
  );
}

/** All Results and the four categories as links (B2-TOOL-01..05, B4-CAT-01..03). */
function CategoryTabs(): ReactNode {
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
      <SuggestedModelDialog />
    </div>
  );
}

/** The bar above the results: categories, keyword search, chips, suggestions. */
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
